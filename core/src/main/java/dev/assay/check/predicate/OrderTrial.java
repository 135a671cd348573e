package dev.assay.check.predicate;

import dev.assay.check.Budget;
import dev.assay.check.replay.Replay;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.infer.predicates.Deadline;
import dev.assay.level.Level;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Tries all commit orders of a few transactions by replaying them. Under serializability, a
 * transaction must see what it saw at its commit; under snapshot isolation, it may read any earlier
 * state since which no other transaction committed a write of a key that it writes. Transactions of
 * unknown outcome may be left out.
 *
 * <p>Results such as counts and minima reveal little about single versions, but few orders give all
 * of them.
 */
final class OrderTrial {
  /** Maximum number of transactions of a history to try. */
  static final int MAX_TRANSACTIONS = 10;

  /** Maximum number of runs of single transactions before giving up. */
  private static final int MAX_RUNS = 20_000;

  /** Maximum number of runs spent on minimising the operations to report. */
  private static final int MAX_RUNS_TO_SHOW = 200_000;

  /** The result of trying. */
  enum Answer {
    FOUND,
    NONE,
    OPEN
  }

  private final History history;
  private final Budget budget;
  private final boolean serial;
  private final int[] transactions;

  /** For each transaction those that must commit before it begins. */
  private final int[] before;

  /** The keys that each transaction writes. */
  private final int[][] written;

  /** The transactions that must take part. */
  private int committed;

  private Replay replay;
  private int runs;
  private final int[] order;

  /** For each number of commits the transactions that then see what they saw. */
  private final int[] agreeing;

  private final Set<State> failed = new HashSet<>();

  /**
   * A state of the search for a serial order: the transactions done and the last write of each key.
   */
  private record State(int done, List<Integer> writes) {}

  private OrderTrial(
      History history, Level level, int[] transactions, EdgeList versions, Budget budget) {
    this.history = history;
    this.budget = budget;
    this.serial = level.implies(Level.SERIALIZABLE);
    this.transactions = transactions;
    this.before = new int[transactions.length];
    this.order = new int[transactions.length];
    this.written = IntStream.of(transactions).mapToObj(this::written).toArray(int[][]::new);
    this.agreeing = new int[transactions.length + 1];
    boolean plain = level == Level.SERIALIZABLE || level == Level.SNAPSHOT_ISOLATION;
    for (int a = 0; a < transactions.length; a++) {
      committed |= history.isCommitted(transactions[a]) ? 1 << a : 0;
      for (int b = 0; b < transactions.length && !plain; b++) {
        if (precedes(transactions[a], transactions[b], level.needsRealTime())) {
          before[b] |= 1 << a;
        }
      }
    }
    // A transaction that overwrites a version begins after its writer, in snapshot isolation too.
    for (int e = 0; e < versions.size(); e++) {
      int a = Arrays.binarySearch(transactions, versions.from(e));
      int b = Arrays.binarySearch(transactions, versions.to(e));
      if (a >= 0 && b >= 0) {
        before[b] |= 1 << a;
      }
    }
  }

  /** The transactions of a history that is small enough, of registers and rows only; else null. */
  static int[] transactions(History history) {
    boolean plain = history.isOfRows();
    int[] found = new int[MAX_TRANSACTIONS];
    int size = 0;
    for (int txn = 0; plain && txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) != Outcome.ABORTED) {
        if (size == MAX_TRANSACTIONS) {
          return null;
        }
        found[size++] = txn;
      }
    }
    return plain ? Arrays.copyOf(found, size) : null;
  }

  /**
   * Whether some order gives all results.
   *
   * @param transactions those of {@link #transactions}
   * @param versions the known order of versions
   */
  static Answer of(
      History history, Level level, int[] transactions, EdgeList versions, Budget budget) {
    return new OrderTrial(history, level, transactions, versions, budget).without(new BitSet());
  }

  /**
   * Predicate operations whose results no order gives together; minimal, unless finding a minimal
   * set takes too long.
   */
  static List<Integer> irreconcilable(
      History history, Level level, int[] transactions, EdgeList versions, Budget budget) {
    List<Integer> core = new ArrayList<>();
    BitSet ignored = new BitSet();
    int spent = 0;
    for (int txn : transactions) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (!history.kind(op).isPredicate()) {
          continue;
        }
        ignored.set(op);
        OrderTrial trial = new OrderTrial(history, level, transactions, versions, budget);
        if (spent > MAX_RUNS_TO_SHOW || trial.without(ignored) != Answer.NONE) {
          ignored.clear(op);
          core.add(op);
        }
        spent += trial.runs;
      }
    }
    return core;
  }

  private Answer without(BitSet ignored) {
    try {
      replay = new Replay(history, new Deadline(budget::expired));
      replay.ignore(ignored);
      if (follow(0, 0)) {
        return Answer.FOUND;
      }
      return isOver() ? Answer.OPEN : Answer.NONE;
    } catch (ConditionException | EvaluationException | Deadline.Expired e) {
      return Answer.OPEN;
    }
  }

  private boolean isOver() {
    return runs > MAX_RUNS || budget.expired();
  }

  private boolean precedes(int a, int b, boolean realTime) {
    boolean inSession =
        history.session(a) == history.session(b)
            && history.placeInSession(a) < history.placeInSession(b);
    long end = history.knownEnd(a);
    long start = history.start(b);
    boolean inTime = end != History.ABSENT && start != History.ABSENT && end < start;
    return inSession || (realTime && inTime);
  }

  /** Whether the transactions not yet done can follow those that are. */
  private boolean follow(int done, int size) {
    if ((done & committed) == committed) {
      return true;
    }
    State state = serial ? new State(done, replay.writes()) : null;
    if (failed.contains(state)) {
      return false;
    }
    agreeing[size] = agreeing(done);
    int next = next(done, size);
    // One that writes nothing does not affect the others.
    for (int t = 0; t < transactions.length; t++) {
      boolean may = (next & committed & (1 << t)) != 0 && (before[t] & ~done) == 0;
      if (may && !writeTheSame(t, t)) {
        next = 1 << t;
      }
    }
    for (int t = 0; t < transactions.length && !isOver(); t++) {
      if ((next & (1 << t)) != 0) {
        order[size] = t;
        Runnable back = replay.installed(transactions[t]);
        if (follow(done | (1 << t), size + 1)) {
          return true;
        }
        back.run();
      }
    }
    if (state != null && !isOver()) {
      failed.add(state);
    }
    return false;
  }

  /** Those that may begin now and see what they saw. */
  private int agreeing(int done) {
    int found = 0;
    for (int t = 0; t < transactions.length; t++) {
      boolean open = (done & (1 << t)) == 0 && (before[t] & committed & ~done) == 0;
      if (open) {
        runs++;
        found |= replay.tryOut(transactions[t]) == null ? 1 << t : 0;
      }
    }
    return found;
  }

  /** Those that may commit next. */
  private int next(int done, int size) {
    int found = 0;
    for (int t = 0; t < transactions.length; t++) {
      if ((done & (1 << t)) == 0 && !isLate(t, done) && sees(t, size)) {
        found |= 1 << t;
      }
    }
    return found;
  }

  /** Whether a transaction that must come after it is done. */
  private boolean isLate(int t, int done) {
    for (int other = 0; other < transactions.length; other++) {
      if ((done & (1 << other)) != 0 && (before[other] & (1 << t)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is a state that it may have read if it commits after this many others. */
  private boolean sees(int t, int size) {
    for (int at = size; at >= 0; at--) {
      if ((agreeing[at] & (1 << t)) != 0) {
        return true;
      }
      if (serial || at == 0 || bars(order[at - 1], t)) {
        return false;
      }
    }
    return false;
  }

  /** Whether a transaction cannot have begun before this one committed. */
  private boolean bars(int done, int t) {
    return (before[t] & (1 << done)) != 0 || writeTheSame(t, done);
  }

  private boolean writeTheSame(int t, int other) {
    for (int key : written[t]) {
      for (int same : written[other]) {
        if (key == same) {
          return true;
        }
      }
    }
    return false;
  }

  private int[] written(int txn) {
    return IntStream.range(history.firstOp(txn), history.endOp(txn))
        .filter(op -> history.kind(op) == OpKind.WRITE)
        .map(history::key)
        .distinct()
        .toArray();
  }
}
