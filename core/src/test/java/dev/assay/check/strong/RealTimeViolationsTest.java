package dev.assay.check.strong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RealTimeViolationsTest {
  private final HistoryBuilder builder = new HistoryBuilder();
  private long sessions;

  private void transaction(long start, long end) {
    int txn = builder.begin(builder.session(sessions++), Outcome.COMMITTED);
    builder.start(txn, start);
    builder.end(txn, end);
  }

  private void write(long start, long end, long value) {
    transaction(start, end);
    builder.write(1, value);
  }

  private void read(long start, long end, long value) {
    transaction(start, end);
    builder.read(1, value);
  }

  private BitSet found() {
    builder.zeroIsInitial(true);
    Subject subject =
        Subject.of(builder.build(), Set.of(Level.SNAPSHOT_ISOLATION), Budget.unlimited());
    return RealTimeViolations.of(
        Instance.whole(subject.history(), subject.reads(), List.of(subject.versions().order())));
  }

  @Test
  void whatWasOverwrittenBeforeIsOutOfTime() {
    write(1, 2, 10);
    write(3, 4, 20);
    read(5, 6, 10);
    read(5, 6, 20);
    assertThat(found().stream()).containsExactly(2);
  }

  @Test
  void aWriterThatOverlapsWithTheSourceOrTheReaderProvesNothing() {
    write(1, 4, 10);
    write(3, 5, 20);
    read(6, 7, 10);
    write(8, 12, 30);
    read(11, 13, 20);
    assertThat(found().stream()).isEmpty();
  }

  @Test
  void theInitialVersionAfterAWriteIsOutOfTime() {
    write(1, 2, 10);
    read(1, 3, 0);
    read(4, 5, 0);
    assertThat(found().stream()).containsExactly(2);
  }

  @Test
  void whatIsWrittenLaterIsOutOfTime() {
    read(1, 2, 10);
    write(3, 4, 10);
    assertThat(found().stream()).containsExactly(0);
  }
}
