package dev.assay.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadsFromTest {
  private final HistoryBuilder b = new HistoryBuilder();

  private int begin(Outcome outcome) {
    return b.begin(b.session(b.transactionCount()), outcome);
  }

  @Test
  void aReadNamesTheOnlyWriteOfItsValue() {
    begin(Outcome.COMMITTED);
    b.write("x", 1);
    b.write("y", 1);
    begin(Outcome.COMMITTED);
    b.read("y", 1);
    b.read("y", null);
    b.read("y", 2);
    ReadsFrom reads = ReadsFrom.of(b.build());
    assertThat(reads.source(2)).isEqualTo(1);
    assertThat(reads.source(3)).isEqualTo(ReadsFrom.INITIAL);
    assertThat(reads.source(4)).isEqualTo(ReadsFrom.THIN_AIR);
    assertThat(reads.source(0)).isEqualTo(ReadsFrom.NONE);
  }

  @Test
  void aLoaderIsNamedByReadsOfTheInitialValueAndAnyOtherWriterIsNot() {
    b.zeroIsInitial(true);
    begin(Outcome.COMMITTED);
    b.write("x", 0);
    b.write("y", 0);
    begin(Outcome.COMMITTED);
    b.write("z", 0);
    b.write("z2", 5);
    begin(Outcome.COMMITTED);
    b.read("x", 0);
    b.read("z", 0);
    ReadsFrom reads = ReadsFrom.of(b.build());
    assertThat(reads.source(4)).isZero();
    assertThat(reads.source(5)).isEqualTo(ReadsFrom.AMBIGUOUS);
    assertThat(reads.candidates(5)).containsExactlyInAnyOrder(ReadsFrom.INITIAL, 2);
  }

  @Test
  void ofSeveralWritersTheOnlyOneThatReadConsistencyAllowsIsTaken() {
    begin(Outcome.ABORTED);
    b.write("x", 1);
    begin(Outcome.COMMITTED);
    b.write("x", 1);
    b.write("x", 2);
    begin(Outcome.COMMITTED);
    b.write("x", 1);
    begin(Outcome.COMMITTED);
    b.read("x", 1);
    b.write("x", 1);
    b.read("x", 1);
    ReadsFrom reads = ReadsFrom.of(b.build());
    assertThat(reads.source(4)).isEqualTo(3);
    assertThat(reads.source(6)).isEqualTo(5);
  }

  @Test
  void aReadOfAValueThatTwoTransactionsCommittedIsAmbiguousUntilChosen() {
    for (int i = 0; i < 2; i++) {
      begin(Outcome.COMMITTED);
      b.write("x", 1);
    }
    begin(Outcome.COMMITTED);
    b.read("x", 1);
    ReadsFrom reads = ReadsFrom.of(b.build());
    assertThat(reads.source(2)).isEqualTo(ReadsFrom.AMBIGUOUS);
    assertThat(reads.ambiguous()).containsExactly(2);
    assertThat(reads.choosing(new int[] {1}).source(2)).isEqualTo(1);
    assertThat(reads.choosing(new int[] {1}).ambiguousReads()).isZero();
  }

  @Test
  void anIndeterminateTransactionCountsOnceOneThatCountsHasReadIt() {
    final int unseen = begin(Outcome.INDETERMINATE);
    b.write("a", 1);
    final int direct = begin(Outcome.INDETERMINATE);
    b.write("b", 1);
    b.read("c", 1);
    final int behind = begin(Outcome.INDETERMINATE);
    b.write("c", 1);
    final int list = begin(Outcome.INDETERMINATE);
    b.append("l", 1);
    final int byAborted = begin(Outcome.INDETERMINATE);
    b.write("d", 1);
    begin(Outcome.ABORTED);
    b.read("d", 1);
    begin(Outcome.COMMITTED);
    b.append("l", 2);
    begin(Outcome.COMMITTED);
    b.read("b", 1);
    b.readList("l", List.of(1, 2));
    ReadsFrom reads = ReadsFrom.of(b.build());
    assertThat(reads.counts(unseen)).isFalse();
    assertThat(reads.counts(direct)).isTrue();
    assertThat(reads.counts(behind)).isTrue();
    assertThat(reads.counts(list)).isTrue();
    assertThat(reads.counts(byAborted)).isFalse();
  }

  @Test
  void sourcesMatchAPlainMapOnHistoriesLargerThanOneRangeOfKeys() {
    Random random = new Random(11);
    HistoryBuilder builder = new HistoryBuilder();
    Map<String, Integer> writes = new HashMap<>();
    int keys = 100_000;
    int[] versions = new int[keys];
    int op = 0;
    for (int t = 0; t < 20_000; t++) {
      builder.begin(builder.session(t % 7), Outcome.COMMITTED);
      for (int i = 0; i < 10; i++, op++) {
        int key = random.nextInt(10) == 0 ? random.nextInt(3) : random.nextInt(keys);
        if (random.nextBoolean()) {
          builder.write(key, ++versions[key]);
          writes.put(key + "=" + versions[key], op);
        } else {
          builder.read(key, (Object) (random.nextInt(versions[key] + 2) + 1));
        }
      }
    }
    History h = builder.build();
    ReadsFrom reads = ReadsFrom.of(h);
    for (int i = 0; i < op; i++) {
      if (!h.kind(i).isWrite()) {
        String name = h.operation(i).key() + "=" + h.operation(i).value();
        assertThat(reads.source(i)).isEqualTo(writes.getOrDefault(name, ReadsFrom.THIN_AIR));
      }
    }
  }
}
