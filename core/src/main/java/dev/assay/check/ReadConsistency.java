package dev.assay.check;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.infer.SnapshotReads;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.DataType;
import dev.assay.type.ReadAnomalies;
import dev.assay.type.TypeReads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * Anomalies that one read shows: thin-air, aborted, future, intermediate and non-repeatable reads,
 * missed own writes, further ones of lists and sets, and reads that contradict the snapshot a
 * certificate gives for their transaction. One pass over each transaction.
 *
 * <p>Decides cut isolation, which requires repeatable reads and nothing else. For every other level
 * the absence of these anomalies is necessary but not sufficient.
 */
public final class ReadConsistency implements LevelChecker {
  /** The remark on anomalies that rest on a choice of writers. */
  public static final String ONE_CHOICE =
      "for values written more than once, one choice of writers is shown; every other choice has"
          + " its own violation";

  /** What may be said of a level that allows reads by which {@link ReadsFrom} chose writers. */
  public static final Verdict.Unknown COUNTS_BY_CHOICE =
      new Verdict.Unknown(
          Verdict.Reason.AMBIGUOUS,
          "which transactions of unknown outcome count depends on the writers of values written"
              + " more than once");

  /** The anomalies by which {@link ReadsFrom} rules out a writer. */
  private static final Set<AnomalyType> RULED_OUT =
      EnumSet.of(
          AnomalyType.INTERMEDIATE_READ,
          AnomalyType.ABORTED_READ,
          AnomalyType.FUTURE_READ,
          AnomalyType.NOT_MY_OWN_WRITE);

  private static final int ALL_TYPES = -1;

  /** Maximum number of pieces; more than there are cores, to balance the load. */
  private static final int PIECES = 64;

  @Override
  public String name() {
    return "read-consistency";
  }

  @Override
  public Findings check(Subject subject) {
    History history = subject.history();
    List<Function<ReadAnomalies, TypeReads>> byType = byType(subject);
    AnomalyTally tally = checkTransactions(subject, byType);
    new Traces(history, subject.reads()).check(tally);
    for (var unlike : new SnapshotReads(subject.reads(), subject.versions()).contradictions()) {
      tally.add(AnomalyType.CERTIFICATE_CONTRADICTION, unlike.read(), unlike.write());
    }
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    if (!tally.found(AnomalyType.NON_REPEATABLE_READ)) {
      boolean open =
          tally.mayHave(AnomalyType.NON_REPEATABLE_READ)
              || history.hasOtherReads()
              || mayCountMore(subject, byType);
      verdicts.put(
          Level.CUT_ISOLATION,
          open
              ? new Verdict.Unknown(
                  Verdict.Reason.AMBIGUOUS,
                  "whether repeated reads saw the same version depends on the writers of values"
                      + " written more than once")
              : new Verdict.Holds("every repeated read of a key saw the same version"));
    }
    return new Findings(verdicts, tally.anomalies(), notes(subject));
  }

  /**
   * The anomalies that single reads show against what was promised to their transactions.
   *
   * @param isOpen whether there may be more under another choice of writers
   */
  public record Promised(List<Anomaly> anomalies, boolean isOpen) {}

  /**
   * Anomalies of those transactions that were promised not to have them.
   *
   * @param promised whether an anomaly is excluded for a transaction that counts
   */
  public static Promised promised(Subject subject, BiPredicate<AnomalyType, Integer> promised) {
    AtomicBoolean open = new AtomicBoolean();
    AnomalyTally.Filter filter =
        new AnomalyTally.Filter() {
          @Override
          public boolean takes(AnomalyType type, int txn) {
            // Each transaction that shows a dirty update has read what was aborted.
            return type != AnomalyType.DIRTY_UPDATE && promised.test(type, txn);
          }

          @Override
          public boolean takesEither(AnomalyType type, Set<AnomalyType> others, int txn) {
            boolean all = takes(type, txn) && others.stream().allMatch(other -> takes(other, txn));
            open.compareAndSet(false, !all);
            return all;
          }
        };
    AnomalyTally tally =
        checkTransactions(subject, byType(subject), subject.reads()::counts, filter);
    AnomalyTally traces =
        new AnomalyTally(subject.history(), subject.budget().maxWitnesses(), filter);
    new Traces(subject.history(), subject.reads()).check(traces);
    return new Promised(tally.merged(traces).anomalies(), open.get());
  }

  /**
   * Whether non-repeatable reads may be in transactions of unknown outcome that count only if a
   * read of an ambiguous value saw their write.
   */
  private static boolean mayCountMore(
      Subject subject, List<Function<ReadAnomalies, TypeReads>> byType) {
    History history = subject.history();
    IntPredicate open =
        txn -> history.outcome(txn) == Outcome.INDETERMINATE && !subject.reads().counts(txn);
    return (subject.reads().elements().hasAmbiguous() || mustCountMore(subject.reads(), open))
        && checkTransactions(subject, byType, open).mayHave(AnomalyType.NON_REPEATABLE_READ);
  }

  /** Whether a read that counts saw a register value that only such transactions wrote. */
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

  /**
   * Checks all transactions that count. Where one of unknown outcome counts only because a read of
   * a value written more than once must have seen its write, any other writer would make that read
   * an anomaly; so a level is violated only if it forbids those too.
   */
  private static AnomalyTally checkTransactions(
      Subject subject, List<Function<ReadAnomalies, TypeReads>> byType) {
    ReadsFrom reads = subject.reads();
    ReadsFrom sure = reads.withoutChosen();
    AnomalyTally tally = checkTransactions(subject, byType, sure::counts);
    return sure == reads
        ? tally
        : tally.merged(
            checkTransactions(subject, byType, txn -> reads.counts(txn) && !sure.counts(txn))
                .orElse(RULED_OUT));
  }

  /** Checks some transactions. */
  private static AnomalyTally checkTransactions(
      Subject subject, List<Function<ReadAnomalies, TypeReads>> byType, IntPredicate transactions) {
    return checkTransactions(subject, byType, transactions, AnomalyTally.Filter.ALL);
  }

  private static AnomalyTally checkTransactions(
      Subject subject,
      List<Function<ReadAnomalies, TypeReads>> byType,
      IntPredicate transactions,
      AnomalyTally.Filter filter) {
    History history = subject.history();
    int max = subject.budget().maxWitnesses();
    int pieces = Cores.pieces(history, PIECES);
    return Cores.over(history, pieces)
        .mapToObj(
            piece -> {
              AnomalyTally part = new AnomalyTally(history, max, filter);
              TypeReads[] reads =
                  byType.stream().map(type -> type.apply(part)).toArray(TypeReads[]::new);
              boolean one = usesOneType(history);
              int end = start(history, piece + 1, pieces);
              for (int txn = start(history, piece, pieces); txn < end; txn++) {
                if (transactions.test(txn)) {
                  check(txn, one ? ALL_TYPES : types(history, txn), reads);
                }
              }
              return part;
            })
        .reduce(new AnomalyTally(history, max), AnomalyTally::merged);
  }

  /** The checks of the data types that a history uses, by ordinal; null for the others. */
  private static List<Function<ReadAnomalies, TypeReads>> byType(Subject subject) {
    List<Function<ReadAnomalies, TypeReads>> byType = new ArrayList<>();
    for (OpKind.Type type : OpKind.Type.values()) {
      // Predicate results need row versions; PredicateChecker handles them.
      boolean used = type != OpKind.Type.PREDICATE && subject.history().uses(type);
      byType.add(
          used ? DataType.of(type).reads(subject.history(), subject.reads()) : found -> null);
    }
    return byType;
  }

  private static void check(int txn, int types, TypeReads[] byType) {
    for (int type = 0; type < byType.length; type++) {
      if (byType[type] != null && (types & (1 << type)) != 0) {
        byType[type].check(txn);
      }
    }
  }

  private static int start(History history, int piece, int pieces) {
    return (int) ((long) history.transactionCount() * piece / pieces);
  }

  private static boolean usesOneType(History history) {
    return Arrays.stream(OpKind.Type.values()).filter(history::uses).count() == 1;
  }

  /** The types of a transaction's operations, as bits. */
  private static int types(History history, int txn) {
    int types = 0;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      types |= 1 << history.kind(op).type().ordinal();
    }
    return types;
  }

  private static List<String> notes(Subject subject) {
    int ambiguous = subject.reads().ambiguousReads();
    List<String> notes = new ArrayList<>();
    if (ambiguous > 0) {
      notes.add(
          ambiguous
              + " reads saw a value that was written more than once, so their writer is ambiguous");
    }
    return notes;
  }
}
