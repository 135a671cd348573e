package dev.assay.check;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.infer.CounterRanges;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.SnapshotReads;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Anomalies inside one read: thin-air, aborted, future, intermediate and non-repeatable reads, own
 * writes not seen, and what lists and sets show beyond that. One pass over each transaction. Also
 * reads that a given snapshot of their transaction contradicts.
 *
 * <p>Decides cut isolation, which asks for nothing more than repeatable reads. For every other
 * level these anomalies are necessary conditions only.
 */
public final class ReadConsistency implements LevelChecker {
  /** The remark on anomalies that rest on a choice of writers. */
  public static final String ONE_CHOICE =
      "what is shown of values written more than once is one choice of writers, and every other"
          + " choice has its own violation";

  /** At most so many pieces; more than cores, so that uneven ones even out. */
  private static final int PIECES = 64;

  @Override
  public String name() {
    return "read-consistency";
  }

  @Override
  public Findings check(Subject subject) {
    History history = subject.history();
    CounterRanges ranges = new CounterRanges(history);
    Tally tally = checkTransactions(subject, ranges, subject.reads()::counts);
    new Traces(history, subject.reads()).check(tally);
    for (var unlike : new SnapshotReads(subject.reads(), subject.versions()).contradictions()) {
      tally.add(AnomalyType.CERTIFICATE_CONTRADICTION, unlike.read(), unlike.write());
    }
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    if (!tally.found(AnomalyType.NON_REPEATABLE_READ)) {
      boolean open =
          tally.mayHave(AnomalyType.NON_REPEATABLE_READ) || mayCountMore(subject, ranges);
      verdicts.put(
          Level.CUT_ISOLATION,
          open
              ? new Verdict.Unknown(
                  Verdict.Reason.AMBIGUOUS,
                  "whether repeated reads saw the same version depends on who wrote what was"
                      + " written more than once")
              : new Verdict.Holds("every repeated read of a key saw the same version"));
    }
    return new Findings(verdicts, tally.anomalies(), notes(subject));
  }

  /**
   * Whether reads that do not repeat are those of transactions of unknown outcome which count only
   * if it was them who wrote what others wrote too.
   */
  private static boolean mayCountMore(Subject subject, CounterRanges ranges) {
    History history = subject.history();
    IntPredicate open =
        txn -> history.outcome(txn) == Outcome.INDETERMINATE && !subject.reads().counts(txn);
    return (subject.reads().elements().hasAmbiguous() || mustCountMore(subject.reads(), open))
        && checkTransactions(subject, ranges, open).mayHave(AnomalyType.NON_REPEATABLE_READ);
  }

  /** Whether a read that counts saw a register value that only those wrote. */
  private static boolean mustCountMore(ReadsFrom reads, IntPredicate open) {
    History history = reads.history();
    for (int read : reads.ambiguous()) {
      boolean others = !reads.counts(history.transactionOf(read));
      for (int write : reads.candidates(read)) {
        others |= write < 0 || !open.test(history.transactionOf(write));
      }
      if (!others) {
        return true;
      }
    }
    return false;
  }

  /** Looks at some transactions, one by one. */
  private static Tally checkTransactions(
      Subject subject, CounterRanges ranges, IntPredicate transactions) {
    History history = subject.history();
    int max = subject.budget().maxWitnesses();
    boolean anyAborted = anyAborted(history);
    int pieces = Cores.pieces(history, PIECES);
    return Cores.over(history, pieces)
        .mapToObj(
            piece -> {
              Tally part = new Tally(history, max);
              Piece.of(subject, anyAborted, ranges, part)
                  .check(
                      start(history, piece, pieces),
                      start(history, piece + 1, pieces),
                      transactions);
              return part;
            })
        .reduce(new Tally(history, max), Tally::merged);
  }

  /** What looks at each type of reads. */
  private record Piece(
      History history,
      RegisterReads registers,
      ListReads lists,
      SetReads sets,
      CounterReads counters) {
    static Piece of(Subject subject, boolean anyAborted, CounterRanges ranges, Tally tally) {
      History history = subject.history();
      return new Piece(
          history,
          new RegisterReads(history, subject.reads(), anyAborted, tally),
          new ListReads(history, subject.reads(), tally),
          new SetReads(history, subject.reads(), tally),
          new CounterReads(history, ranges, tally));
    }

    void check(int from, int to, IntPredicate transactions) {
      boolean onlyRegisters = onlyRegisters(history);
      for (int txn = from; txn < to; txn++) {
        if (!transactions.test(txn)) {
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
