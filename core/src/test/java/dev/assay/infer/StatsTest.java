package dev.assay.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTest {
  private final HistoryBuilder builder = new HistoryBuilder();

  private int begin(String session, Outcome outcome) {
    return builder.begin(builder.session(session), outcome);
  }

  @Test
  void countsOutcomesSizesAndKinds() {
    int first = begin("a", Outcome.COMMITTED);
    builder.write("x", 1);
    builder.write("y", 1);
    builder.read("x", 1);
    begin("a", Outcome.ABORTED);
    builder.read("x", null);
    int last = begin("b", Outcome.INDETERMINATE);
    builder.start(first, 10);
    builder.end(last, 90);
    Stats stats = Stats.of(builder.build());
    assertThat(stats.outcomes(Outcome.COMMITTED)).isEqualTo(1);
    assertThat(stats.outcomes(Outcome.ABORTED)).isEqualTo(1);
    assertThat(stats.outcomes(Outcome.INDETERMINATE)).isEqualTo(1);
    assertThat(stats.transactionSizes()).containsExactly(0, 1, 3);
    assertThat(stats.sessionSizes()).containsExactly(1, 2);
    assertThat(stats.operations(OpKind.READ)).isEqualTo(2);
    assertThat(stats.operations(OpKind.WRITE)).isEqualTo(2);
    assertThat(stats.initialReads()).isEqualTo(1);
    assertThat(stats.firstTime()).isEqualTo(10);
    assertThat(stats.lastTime()).isEqualTo(90);
  }

  @Test
  void versionsNeverReadAreThoseOfTransactionsThatDidNotAbort() {
    begin("a", Outcome.COMMITTED);
    builder.write("x", 1);
    builder.write("x", 2);
    begin("a", Outcome.ABORTED);
    builder.write("x", 3);
    begin("b", Outcome.COMMITTED);
    builder.read("x", 2);
    Stats stats = Stats.of(builder.build());
    assertThat(stats.versionsNeverRead()).isEqualTo(1);
    assertThat(stats.versionsNeverWritten()).isZero();
  }

  @Test
  void versionsNeverWrittenAreNeitherInitialNorAborted() {
    begin("a", Outcome.ABORTED);
    builder.write("x", 1);
    begin("b", Outcome.COMMITTED);
    builder.read("x", 1);
    builder.read("x", null);
    builder.read("x", 7);
    builder.read("x", 7);
    Stats stats = Stats.of(builder.build());
    assertThat(stats.versionsNeverWritten()).isEqualTo(1);
  }

  @Test
  void readsOfAnInitialValueThatWasLoadedCountAsReadsOfTheLoader() {
    builder.zeroIsInitial(true);
    begin("a", Outcome.COMMITTED);
    builder.write("x", 0);
    begin("b", Outcome.COMMITTED);
    builder.read("x", 0);
    Stats stats = Stats.of(builder.build());
    assertThat(stats.versionsNeverRead()).isZero();
    assertThat(stats.versionsNeverWritten()).isZero();
  }

  @Test
  void aListReadReadsEveryElement() {
    begin("a", Outcome.COMMITTED);
    builder.append("x", 1);
    builder.append("x", 2);
    builder.append("x", 3);
    begin("b", Outcome.COMMITTED);
    builder.readList("x", List.of(1, 2, 9));
    Stats stats = Stats.of(builder.build());
    assertThat(stats.versionsNeverRead()).isEqualTo(1);
    assertThat(stats.versionsNeverWritten()).isEqualTo(1);
  }

  @Test
  void duplicatesAreVersionsWrittenMoreThanOnce() {
    begin("a", Outcome.COMMITTED);
    builder.write("x", 1);
    builder.write("x", 1);
    builder.write("x", 1);
    builder.write("y", 1);
    Stats stats = Stats.of(builder.build());
    assertThat(stats.duplicateVersions()).isEqualTo(1);
  }

  @Test
  void theHottestKeysComeFirst() {
    begin("a", Outcome.COMMITTED);
    for (int key = 0; key < 6; key++) {
      for (int i = 0; i < (key == 4 ? 9 : key); i++) {
        builder.write(key, i);
      }
    }
    builder.read(0, null);
    History history = builder.build();
    Stats stats = Stats.of(history);
    int[] hottest = stats.hottestKeys(3);
    assertThat(hottest).hasSize(3);
    assertThat(history.keys().get(hottest[0])).isEqualTo(4L);
    assertThat(history.keys().get(hottest[1])).isEqualTo(5L);
    assertThat(history.keys().get(hottest[2])).isEqualTo(3L);
    assertThat(stats.operationsOn(hottest[0])).isEqualTo(9);
    assertThat(stats.hottestKeys(100)).hasSize(6);
  }

  @Test
  void percentilesAreByNearestRank() {
    int[] sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assertThat(Stats.percentile(sizes, 0)).isEqualTo(1);
    assertThat(Stats.percentile(sizes, 50)).isEqualTo(5);
    assertThat(Stats.percentile(sizes, 90)).isEqualTo(9);
    assertThat(Stats.percentile(sizes, 99)).isEqualTo(10);
    assertThat(Stats.percentile(new int[0], 50)).isZero();
  }
}
