package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an order of whole transactions proves holds between their operations. */
class OperationProofTest {
  private static WeakRun decide(History history) {
    ReadsFrom reads = ReadsFrom.of(history);
    Subject subject =
        new Subject(
            history,
            reads,
            new VersionOrders(history, reads, Given.NOTHING),
            EnumSet.of(Level.CAUSAL),
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            Budget.unlimited());
    return new WeakRun(subject, EnumSet.of(Level.CAUSAL)).decide();
  }

  private static boolean holdsBetweenOperations(History history) {
    History split = SplitOperations.of(history, ReadsFrom.of(history)).rewritten();
    return Ledger.holds(decide(split).verdicts(), Level.CAUSAL);
  }

  /**
   * Lists and registers whose reads are mostly recent, with an aborted transaction now and then.
   */
  private static final class Recording {
    private final Random random;
    private final HistoryBuilder builder = new HistoryBuilder();
    private final List<List<Integer>> values = new ArrayList<>();
    private int next;

    Recording(Random random) {
      this.random = random;
    }

    History of(int transactions, int sessions, int keys) {
      for (int key = 0; key < keys; key++) {
        values.add(new ArrayList<>());
      }
      for (int txn = 0; txn < transactions; txn++) {
        boolean aborts = random.nextInt(16) == 0;
        builder.begin(
            builder.session(random.nextInt(sessions)),
            aborts ? Outcome.ABORTED : Outcome.COMMITTED);
        for (int op = 0; op < 1 + random.nextInt(4); op++) {
          operation(random.nextInt(keys), !aborts);
        }
      }
      return builder.build();
    }

    private void operation(int key, boolean visible) {
      List<Integer> versions = values.get(key);
      boolean list = key % 2 == 0;
      if (random.nextInt(2) == 0) {
        next++;
        if (list) {
          builder.append("k" + key, next);
        } else {
          builder.write("k" + key, next);
        }
        if (visible) {
          // Now and then out of turn, so that not every order is that of the file.
          boolean early = random.nextInt(8) == 0 && !versions.isEmpty();
          versions.add(early ? versions.size() - 1 : versions.size(), next);
        }
        return;
      }
      int seen = Math.max(0, versions.size() - random.nextInt(3));
      if (list) {
        builder.readList("k" + key, List.copyOf(versions.subList(0, seen)));
      } else {
        builder.read("k" + key, seen == 0 ? null : versions.get(seen - 1));
      }
    }
  }

  @Test
  void whatIsProvenHoldsAfterSplitting() {
    Random random = new Random(7);
    int proven = 0;
    int holding = 0;
    for (int round = 0; round < 6_000; round++) {
      Recording recording = new Recording(random);
      History history =
          recording.of(3 + random.nextInt(9), 2 + random.nextInt(3), 2 + random.nextInt(3));
      WeakRun run = decide(history);
      if (Ledger.holds(run.verdicts(), Level.CAUSAL)) {
        continue;
      }
      boolean holds = holdsBetweenOperations(history);
      boolean isProven = run.provesOperations();
      assertThat(isProven && !holds).as("round %d", round).isFalse();
      proven += isProven ? 1 : 0;
      holding += holds ? 1 : 0;
    }
    assertThat(proven).isGreaterThan(holding / 4);
  }

  /** Reads an old version in its first operation and what refutes that in its second. */
  @Test
  void aReadBeforeWhatWouldRefuteItIsProven() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    b.write("x", 1);
    b.begin(b.session(0), Outcome.COMMITTED);
    b.write("x", 2);
    b.write("y", 1);
    b.begin(b.session(1), Outcome.COMMITTED);
    b.read("x", 1);
    b.read("y", 1);
    assertThat(decide(b.build()).provesOperations()).isTrue();
  }

  @Test
  void aReadAfterWhatRefutesItIsNot() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    b.write("x", 1);
    b.begin(b.session(0), Outcome.COMMITTED);
    b.write("x", 2);
    b.write("y", 1);
    b.begin(b.session(1), Outcome.COMMITTED);
    b.read("y", 1);
    b.read("x", 1);
    assertThat(decide(b.build()).provesOperations()).isFalse();
  }
}
