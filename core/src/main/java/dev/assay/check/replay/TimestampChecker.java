package dev.assay.check.replay;

import dev.assay.check.Anomaly;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.predicates.Deadline;
import dev.assay.level.Level;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.Assumption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Snapshot isolation and serializability by the database's own timestamps, where the user trusts
 * them and every transaction has one: a sweep over beginnings and commits in timestamp order,
 * linear after sorting. A transaction sees what committed up to the timestamp of its snapshot, and
 * no other transaction writes the same keys in between. A serial replay in commit order decides
 * serializability.
 */
public final class TimestampChecker implements LevelChecker {
  @Override
  public String name() {
    return "timestamps";
  }

  @Override
  public Findings check(Subject subject) {
    History history = subject.history();
    boolean trusted = subject.versions().given().assumes(Assumption.TIMESTAMPS);
    if (!trusted || !history.hasTimestamps()) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    int[] counting =
        IntStream.range(0, history.transactionCount()).filter(subject.reads()::counts).toArray();
    boolean allStamped =
        Arrays.stream(counting)
            .allMatch(
                txn ->
                    history.snapshotTs(txn) != History.ABSENT
                        && (history.commitTs(txn) != History.ABSENT || !writes(history, txn)));
    if (!allStamped) {
      String note = "some transactions have no timestamps, so timestamps alone decide nothing";
      return new Findings(Map.of(), List.of(), List.of(note));
    }
    try {
      return new Sweep(subject, counting).run();
    } catch (Deadline.Expired e) {
      return new Findings(Map.of(), List.of(), List.of());
    } catch (ConditionException | EvaluationException e) {
      return new Findings(Map.of(), List.of(), List.of("timestamps not used: " + e.getMessage()));
    }
  }

  private static boolean writes(History history, int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite()) {
        return true;
      }
    }
    return false;
  }

  private static final class Sweep {
    private final Subject subject;
    private final History history;
    private final int[] byBegin;
    private final int[] byCommit;

    Sweep(Subject subject, int[] counting) {
      this.subject = subject;
      this.history = subject.history();
      this.byBegin = Sorted.by(counting, history::snapshotTs);
      // What was committed at the time of a snapshot is in it: at equal times writers come first.
      IntStream writers = IntStream.of(counting).filter(txn -> writes(history, txn));
      IntStream readers = IntStream.of(counting).filter(txn -> !writes(history, txn));
      this.byCommit = Sorted.by(IntStream.concat(writers, readers).toArray(), this::commit);
    }

    /** When a transaction took effect; one that only read, at its snapshot. */
    private long commit(int txn) {
      return writes(history, txn) ? history.commitTs(txn) : history.snapshotTs(txn);
    }

    Findings run() throws ConditionException {
      List<Replay.Divergence> found = readSnapshots();
      if (!found.isEmpty()) {
        Level level = Level.STRONG_SNAPSHOT_ISOLATION;
        Anomaly anomaly = Divergences.anomaly(found, level, subject.budget());
        return new Findings(Map.of(), List.of(anomaly), List.of());
      }
      Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
      boolean ordered = commitAfterSnapshots();
      verdicts.put(
          ordered && respectsSessions() && respectsRealTime()
              ? Level.STRONG_SNAPSHOT_ISOLATION
              : Level.SNAPSHOT_ISOLATION,
          new Verdict.Holds("the snapshots given by timestamps explain every read"));
      if (SerialOrderChecker.explains(history, byCommit, subject.budget())) {
        Level proven = Divergences.proven(history, byCommit);
        // Without other times, the timestamps define real time, and this order follows them.
        boolean strict =
            ordered && !history.hasTimes() && proven == Level.STRONG_SESSION_SERIALIZABLE;
        verdicts.put(
            strict ? Level.STRICT_SERIALIZABLE : proven,
            new Verdict.Holds("the order of commit timestamps is serial"));
      }
      return new Findings(verdicts, List.of(), List.of());
    }

    /** Whether each writer committed after its snapshot was taken. */
    private boolean commitAfterSnapshots() {
      return IntStream.of(byBegin)
          .allMatch(
              txn -> !writes(history, txn) || history.commitTs(txn) > history.snapshotTs(txn));
    }

    /** Whether each snapshot includes the earlier transactions of its session. */
    private boolean respectsSessions() {
      long[] latest = new long[history.sessionCount()];
      Arrays.fill(latest, Long.MIN_VALUE);
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (subject.reads().counts(txn)) {
          int session = history.session(txn);
          if (latest[session] > history.snapshotTs(txn)) {
            return false;
          }
          latest[session] = Math.max(latest[session], commit(txn));
        }
      }
      return true;
    }

    /** Whether each snapshot includes what had ended by the clients' clocks when it began. */
    private boolean respectsRealTime() {
      int[] begun = with(history::start);
      int[] ended = with(history::knownEnd);
      long latest = Long.MIN_VALUE;
      int next = 0;
      for (int txn : begun) {
        for (; next < ended.length && history.end(ended[next]) < history.start(txn); next++) {
          latest = Math.max(latest, commit(ended[next]));
        }
        if (latest > history.snapshotTs(txn)) {
          return false;
        }
      }
      return true;
    }

    /** The transactions with a known time, sorted by it. */
    private int[] with(IntToLongFunction time) {
      return Sorted.by(
          IntStream.of(byBegin).filter(txn -> time.applyAsLong(txn) != History.ABSENT).toArray(),
          time);
    }

    private List<Replay.Divergence> readSnapshots() throws ConditionException {
      SnapshotOrder order = new SnapshotOrder(history, subject.budget());
      int next = 0;
      for (int txn : byBegin) {
        while (next < byCommit.length && commit(byCommit[next]) <= history.snapshotTs(txn)) {
          commit(byCommit[next++], order);
        }
        order.begin(txn);
      }
      while (next < byCommit.length) {
        commit(byCommit[next++], order);
      }
      return order.found();
    }

    private void commit(int txn, SnapshotOrder order) {
      order.commit(txn, history.snapshotTs(txn), commit(txn));
    }
  }
}
