package dev.assay.check.replay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.infer.predicates.Deadline;
import dev.assay.level.Level;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Replays an expected serialization order. An order that explains every read, of items and by
 * predicates, proves serializability, or a stronger level if it also respects sessions or real
 * time. By design, an order that does not is reported as a violation, even if another order would
 * explain the reads.
 */
public final class SerialOrderChecker implements LevelChecker {
  public static final String NAME = "serial-order";

  private static final Verdict EXPLAINED =
      new Verdict.Holds("the expected serialization order explains every read");

  @Override
  public String name() {
    return NAME;
  }

  /**
   * What an expected serialization order proves before the sources of reads are resolved: if it
   * explains every read, there are no read anomalies either. Empty if it does not, if more than
   * this order is given, or if the history has anything but committed and aborted transactions on
   * registers and rows.
   */
  public static Map<Level, Verdict> provenAlone(History history, Given given, Budget budget) {
    boolean alone =
        given.certificate().isOnlyOrder()
            && given.assumptions().equals(Assumption.DEFAULT)
            && history.isOfRows();
    if (!alone) {
      return Map.of();
    }
    int[] order = given.certificate().order();
    int committed = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        return Map.of();
      }
      committed += history.isCommitted(txn) ? 1 : 0;
    }
    int kept = 0;
    for (int txn : order) {
      if (history.isCommitted(txn)) {
        order[kept++] = txn;
      }
    }
    int[] counting = Arrays.copyOf(order, kept);
    return kept == committed && explains(history, counting, budget)
        ? Map.of(proven(history, counting), EXPLAINED)
        : Map.of();
  }

  @Override
  public Findings check(Subject subject) {
    int[] order = placed(subject.history(), subject.reads(), subject.versions().given());
    if (order.length == 0) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    List<String> notes = new ArrayList<>();
    int missing = missing(subject.history(), subject.reads(), order);
    if (missing > 0) {
      notes.add(
          "the expected serialization order was not replayed: it lacks %,d of the transactions"
              .formatted(missing));
      return new Findings(Map.of(), List.of(), notes);
    }
    try {
      return replay(subject, order);
    } catch (ConditionException | EvaluationException e) {
      notes.add("the expected serialization order was not replayed: " + e.getMessage());
      return new Findings(Map.of(), List.of(), notes);
    }
  }

  /**
   * The serialization order that is given for the transactions that count; empty if there is none,
   * or if it lacks one of them.
   */
  public static int[] order(History history, ReadsFrom reads, Given given) {
    int[] placed = placed(history, reads, given);
    return missing(history, reads, placed) == 0 ? placed : new int[0];
  }

  /** The order of the certificate, or that of the history if the user trusts it. */
  private static int[] placed(History history, ReadsFrom reads, Given given) {
    IntPredicate counts = reads::counts;
    int[] certified = given.certificate().order();
    if (certified.length > 0) {
      return IntStream.of(certified).filter(counts).toArray();
    }
    if (!given.assumes(Assumption.TRANSACTION_ORDER) || !history.hasSerialPositions()) {
      return new int[0];
    }
    int[] placed =
        IntStream.range(0, history.transactionCount())
            .filter(txn -> counts.test(txn) && history.serialPosition(txn) != History.ABSENT)
            .toArray();
    return Sorted.by(placed, history::serialPosition);
  }

  private static int missing(History history, ReadsFrom reads, int[] order) {
    BitSet placed = new BitSet();
    for (int txn : order) {
      placed.set(txn);
    }
    int missing = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      missing += reads.counts(txn) && !placed.get(txn) ? 1 : 0;
    }
    return missing;
  }

  /**
   * Whether transactions, run one after another in this order, see what they saw; not if there is
   * no time to run them all.
   */
  public static boolean explains(History history, int[] order, Budget budget) {
    try {
      Replay replay = new Replay(history, new Deadline(budget::expired));
      for (int txn : order) {
        if (replay.run(txn) != null) {
          return false;
        }
      }
      return true;
    } catch (ConditionException | EvaluationException | Deadline.Expired e) {
      return false;
    }
  }

  /** The strongest level that a serial order which explains every read proves. */
  public static Level proven(History history, int[] order) {
    return Divergences.proven(history, order);
  }

  private static Findings replay(Subject subject, int[] order) throws ConditionException {
    Replay replay = new Replay(subject.history(), new Deadline(subject.budget()::expired));
    List<Replay.Divergence> found = new ArrayList<>();
    boolean isOver = false;
    try {
      for (int txn : order) {
        Replay.Divergence divergence = replay.run(txn);
        if (divergence != null) {
          found.add(divergence);
        }
      }
    } catch (Deadline.Expired e) {
      isOver = true;
    }
    if (found.isEmpty() && isOver) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    if (!found.isEmpty()) {
      Anomaly anomaly = Divergences.anomaly(found, Level.SERIALIZABLE, subject.budget());
      return new Findings(Map.of(), List.of(anomaly), List.of());
    }
    return proof(subject.history(), order);
  }

  private static Findings proof(History history, int[] order) {
    return new Findings(Map.of(proven(history, order), EXPLAINED), List.of(), List.of());
  }
}
