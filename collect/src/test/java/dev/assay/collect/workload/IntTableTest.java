package dev.assay.collect.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntTableTest {
  @Test
  void fewEntriesOverManyKeysAreHashed() {
    assertThat(IntTable.forKeys(1_000_000_000, 1_000_000).isSparse()).isTrue();
    assertThat(IntTable.forKeys(10_000_000, 10_000_000).isSparse()).isFalse();
    assertThat(IntTable.forKeys(1000, 1).isSparse()).isFalse();
  }

  @Test
  void aHashedTableAnswersWhatWasPut() {
    IntTable table = IntTable.forKeys(Integer.MAX_VALUE, 100_000);
    Map<Integer, Integer> expected = new HashMap<>();
    SplitMix random = new SplitMix(5);
    for (int i = 0; i < 100_000; i++) {
      int key = random.below(i % 2 == 0 ? Integer.MAX_VALUE : 1000);
      int number = (int) random.nextLong();
      table.put(key, number);
      expected.put(key, number);
    }
    table.put(0, -1);
    expected.put(0, -1);
    expected.forEach((key, number) -> assertThat(table.get(key)).isEqualTo(number));
    assertThat(table.get(Integer.MAX_VALUE - 1)).isZero();
  }

  @Test
  void aDenseTableGrows() {
    IntTable table = IntTable.forKeys(10, 10);
    assertThat(table.get(5000)).isZero();
    table.put(5000, 7);
    assertThat(table.get(5000)).isEqualTo(7);
    assertThat(table.get(4999)).isZero();
  }
}
