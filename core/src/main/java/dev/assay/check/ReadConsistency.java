package dev.assay.check;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.infer.CounterRanges;
import dev.assay.infer.SnapshotReads;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Anomalies inside one read: thin-air, aborted, future, intermediate and non-repeatable reads, own
 * writes not seen, and what lists and sets show beyond that. One pass over each transaction. Also
 * reads that a given snapshot of their transaction contradicts.
 *
 * <p>Decides cut isolation, which asks for nothing more than repeatable reads. For every other
 * level these anomalies are necessary conditions only.
 */
public final class ReadConsistency implements LevelChecker {
  /** At most so many pieces; more than cores, so that uneven ones even out. */
  private static final int PIECES = 64;

  @Override
  public String name() {
    return "read-consistency";
  }

  @Override
  public Findings check(Subject subject) {
    History history = subject.history();
    int max = subject.budget().maxWitnesses();
    boolean anyAborted = anyAborted(history);
    CounterRanges ranges = new CounterRanges(history);
    int pieces = Cores.pieces(history, PIECES);
    Tally tally =
        Cores.over(history, pieces)
            .mapToObj(
                piece -> {
                  Tally part = new Tally(history, max);
                  int from = start(history, piece, pieces);
                  int to = start(history, piece + 1, pieces);
                  checkTransactions(subject, anyAborted, ranges, from, to, part);
                  return part;
                })
            .reduce(new Tally(history, max), Tally::merged);
    new Traces(history, subject.reads()).check(tally);
    for (var unlike : new SnapshotReads(subject.reads(), subject.versions()).contradictions()) {
      tally.add(AnomalyType.CERTIFICATE_CONTRADICTION, unlike.read(), unlike.write());
    }
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    if (!tally.found(AnomalyType.NON_REPEATABLE_READ)) {
      verdicts.put(
          Level.CUT_ISOLATION,
          new Verdict.Holds("every repeated read of a key saw the same version"));
    }
    return new Findings(verdicts, tally.anomalies(), notes(subject));
  }

  private static void checkTransactions(
      Subject subject, boolean anyAborted, CounterRanges ranges, int from, int to, Tally tally) {
    History history = subject.history();
    RegisterReads registers = new RegisterReads(history, subject.reads(), anyAborted, tally);
    ListReads lists = new ListReads(history, subject.reads(), tally);
    SetReads sets = new SetReads(history, subject.reads(), tally);
    CounterReads counters = new CounterReads(history, ranges, tally);
    boolean onlyRegisters = onlyRegisters(history);
    for (int txn = from; txn < to; txn++) {
      if (!subject.reads().counts(txn)) {
        continue;
      }
      int types = onlyRegisters ? bit(OpKind.Type.REGISTER) : types(history, txn);
      if ((types & bit(OpKind.Type.REGISTER)) != 0) {
        registers.check(txn);
      }
      if ((types & bit(OpKind.Type.LIST)) != 0) {
        lists.check(txn);
      }
      if ((types & bit(OpKind.Type.SET)) != 0) {
        sets.check(txn);
      }
      if ((types & bit(OpKind.Type.COUNTER)) != 0) {
        counters.check(txn);
      }
    }
  }

  private static boolean anyAborted(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.ABORTED) {
        return true;
      }
    }
    return false;
  }

  private static int start(History history, int piece, int pieces) {
    return (int) ((long) history.transactionCount() * piece / pieces);
  }

  private static boolean onlyRegisters(History history) {
    for (OpKind.Type type : OpKind.Type.values()) {
      if (type != OpKind.Type.REGISTER && history.uses(type)) {
        return false;
      }
    }
    return true;
  }

  private static int types(History history, int txn) {
    int types = 0;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      types |= bit(history.kind(op).type());
    }
    return types;
  }

  private static int bit(OpKind.Type type) {
    return 1 << type.ordinal();
  }

  private static List<String> notes(Subject subject) {
    int ambiguous = subject.reads().ambiguousReads();
    List<String> notes = new ArrayList<>();
    if (ambiguous > 0) {
      notes.add(
          ambiguous
              + " reads saw a value that was written more than once and name no single writer");
    }
    return notes;
  }
}
