package dev.assay.format.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairIndexTest {
  @Test
  void pairsAreNumberedLikeAMapWould() {
    Random random = new Random(3);
    PairIndex index = new PairIndex();
    Map<List<Long>, Integer> map = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long a = random.nextInt(100) * (random.nextBoolean() ? 1L : 1L << 32);
      long b = random.nextInt(100) - 50;
      Integer known = map.putIfAbsent(List.of(a, b), map.size());
      assertThat(index.indexOf(a, b)).isEqualTo(known == null ? map.size() - 1 : known);
    }
    assertThat(index.size()).isEqualTo(map.size());
    assertThat(index.indexOf(-50, 1L << 40)).isEqualTo(map.size());
    assertThat(index.indexOf(1L << 40, -50)).isEqualTo(map.size() + 1);
  }
}
