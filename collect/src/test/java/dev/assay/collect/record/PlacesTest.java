package dev.assay.collect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.workload.SplitMix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacesTest {
  private static final List<String> NAMES = List.of("primary", "replica 1", "replica 2");

  @Test
  void nodesAreFoundByTheirNames() {
    assertThat(Places.of("replica 2", NAMES)).containsExactly(2);
    assertThat(Places.of("replicas", NAMES)).containsExactly(1, 2);
    assertThat(Places.of("replica 2,primary", NAMES)).containsExactly(2, 0);
    assertThat(Places.of("primary|replicas", NAMES)).containsExactly(0);
    assertThat(Places.of("replica 1,primary|replica 2", NAMES)).containsExactly(1, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"replica 3", "node 1", "primary|replica 1", "primary|nodes", "replicas|replica 1"})
  void whatIsNotThereOrLeavesNodesOutIsNotFound(String where) {
    assertThat(Places.of(where, NAMES)).isEmpty();
  }

  @Test
  void halvesDifferAndAreNeverTheLargerPart() {
    SplitMix random = new SplitMix(1);
    Set<Set<Integer>> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      List<Integer> half = Places.half(5, random);
      assertThat(half).hasSize(2).doesNotHaveDuplicates().allMatch(node -> node >= 0 && node < 5);
      seen.add(Set.copyOf(half));
    }
    assertThat(seen).hasSize(10);
  }
}
