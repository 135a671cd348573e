package dev.assay.check.replay;

import dev.assay.check.Anomaly;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.Assumption;
import dev.assay.level.Level;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Snapshot isolation and serializability by the database's own timestamps, where the user trusts
 * them and every transaction has one: a sweep over beginnings and commits in their order, linear
 * after sorting. A transaction sees what committed up to the timestamp of its snapshot, and nobody
 * else writes what it writes in between. Run one after another in the order of their commits, they
 * show whether they could have been serial.
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
      String note = "some transactions have no timestamps, so these alone decide nothing";
      return new Findings(Map.of(), List.of(), List.of(note));
    }
    try {
      return new Sweep(subject, counting).run();
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
      this.byCommit = Sorted.by(counting, this::commit);
    }

    /** When a transaction took effect; one that only read did so with its snapshot. */
    private long commit(int txn) {
      long commit = history.commitTs(txn);
      return commit == History.ABSENT ? history.snapshotTs(txn) : commit;
    }

    Findings run() throws ConditionException {
      List<Replay.Divergence> found = readSnapshots();
      if (!found.isEmpty()) {
        Level level = Level.STRONG_SNAPSHOT_ISOLATION;
        Anomaly anomaly = Divergences.anomaly(found, level, subject.budget());
        return new Findings(Map.of(), List.of(anomaly), List.of());
      }
      Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
      verdicts.put(
          Level.SNAPSHOT_ISOLATION,
          new Verdict.Holds("its timestamps say which snapshot explains every read"));
      if (SerialOrderChecker.explains(history, byCommit)) {
        verdicts.put(
            Divergences.proven(history, byCommit),
            new Verdict.Holds("the order of commit timestamps is serial"));
      }
      return new Findings(verdicts, List.of(), List.of());
    }

    private List<Replay.Divergence> readSnapshots() throws ConditionException {
      SnapshotOrder order = new SnapshotOrder(history);
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
