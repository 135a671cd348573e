package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallSetsTest {
  private static List<SmallHistory> all(int txns, int keys, Outcome... outcomes) {
    List<SmallHistory> all = new ArrayList<>();
    SmallSets.forEach(txns, keys, List.of(outcomes), 1, all::add);
    return all;
  }

  /** An addition, a read, two additions, two reads, and a read before or after an addition. */
  @Test
  void aTransactionMayShowAnyOfTheElementsThatItAdds() {
    assertThat(all(1, 1, Outcome.COMMITTED)).hasSize(4 + 2 * 2).doesNotHaveDuplicates();
  }

  @Test
  void everyHistoryIsThereOnce() {
    List<SmallHistory> all = all(2, 2, Outcome.COMMITTED, Outcome.ABORTED);
    assertThat(new HashSet<>(all)).hasSameSizeAs(all).hasSizeGreaterThan(5_000);
  }
}
