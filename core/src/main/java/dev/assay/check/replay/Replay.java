package dev.assay.check.replay;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.Query;
import dev.assay.infer.predicates.ResultExplainer;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.ConditionException;
import dev.assay.type.DataType;
import dev.assay.type.TypeStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A store in memory on which the transactions of a history are executed one after another; the
 * result of each operation is compared with the recorded one.
 */
public final class Replay {
  private final History history;
  private final RowStore rows;

  /** By the ordinals of types: keys that are not rows; null for registers, which are rows. */
  private final TypeStore[] stores = new TypeStore[OpKind.Type.values().length];

  private final ResultExplainer result;
  private final Deadline deadline;

  /** The undo log of the running transaction, last first; null if its writes are permanent. */
  private Deque<Runnable> undo;

  private BitSet ignored = new BitSet();
  private Divergence divergence;

  /**
   * An operation whose recorded result differs.
   *
   * @param operation the operation
   * @param expected what wrote the version that it should have seen, or should not have missed; −1
   *     where that is the initial one, or not a single one
   */
  public record Divergence(int operation, int expected) {}

  /**
   * An empty store. Running transactions on it ends with {@link Deadline.Expired} when there is no
   * time left.
   */
  public Replay(History history, Deadline deadline) throws ConditionException {
    this.history = history;
    this.deadline = deadline;
    this.rows = new RowStore(history);
    this.result = rows.explainer();
    for (OpKind.Type type : OpKind.Type.values()) {
      if (type != OpKind.Type.PREDICATE && history.uses(type)) {
        stores[type.ordinal()] = DataType.of(type).store(history);
      }
    }
  }

  /** Runs a transaction and keeps its writes; returns the first operation that differs, or null. */
  Divergence run(int txn) {
    undo = null;
    return runOperations(txn);
  }

  /** Runs a transaction and undoes its writes. */
  public Divergence tryOut(int txn) {
    undo = new ArrayDeque<>();
    Divergence found = runOperations(txn);
    undo.forEach(Runnable::run);
    return found;
  }

  /** Applies the writes of a transaction without comparing its reads. */
  void install(int txn) {
    undo = null;
    doWrites(txn);
  }

  private void doWrites(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite() && !history.kind(op).isPredicate()) {
        doOperation(op);
      }
    }
  }

  /** The same, until the returned action is run, which undoes it. */
  public Runnable installed(int txn) {
    Deque<Runnable> done = new ArrayDeque<>();
    undo = done;
    doWrites(txn);
    return () -> done.forEach(Runnable::run);
  }

  /** Sets the operations whose results are not compared from now on. */
  public void ignore(BitSet operations) {
    ignored = operations;
  }

  /** The operation that wrote the current value of each register; −1 if there is none. */
  public List<Integer> writes() {
    List<Integer> writes = new ArrayList<>();
    for (int key = 0; key < history.keys().count(); key++) {
      writes.add(rows.write(key));
    }
    return writes;
  }

  private Divergence runOperations(int txn) {
    divergence = null;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      boolean agrees = ignored.get(op) || doOperation(op);
      if (!agrees && divergence == null) {
        divergence = new Divergence(op, RowStore.INITIAL);
      }
    }
    return divergence;
  }

  private boolean doOperation(int op) {
    deadline.spend(1);
    OpKind kind = history.kind(op);
    if (kind.isPredicate()) {
      return doPredicate(op);
    }
    TypeStore store = stores[kind.type().ordinal()];
    if (kind.isWrite()) {
      if (store == null) {
        set(op);
      } else {
        undoBy(store.write(op));
      }
      return true;
    }
    return history.value(op) == Values.UNKNOWN
        || (store == null ? readsCurrent(op) : store.agrees(op));
  }

  private void undoBy(Runnable action) {
    if (undo != null) {
      undo.push(action);
    }
  }

  private void set(int op) {
    int key = history.key(op);
    int before = rows.write(key);
    rows.set(key, op);
    // Most replays keep all writes: no object per write for those.
    if (undo != null) {
      undo.push(() -> rows.set(key, before));
    }
  }

  private boolean readsCurrent(int op) {
    int key = history.key(op);
    if (history.agrees(op, rows.code(key))) {
      return true;
    }
    if (divergence == null) {
      divergence = new Divergence(op, rows.write(key));
    }
    return false;
  }

  // ---- predicates

  private boolean doPredicate(int op) {
    result.lookAt(op);
    return switch (result.query().condition().form()) {
      case MIN, MAX -> isExtreme(op);
      case COUNT, SUM, AVG -> isAggregate();
      default -> hasRows(op);
    };
  }

  /**
   * Checks a minimum or maximum: all deciding rows have this value, and there is one unless the
   * result is of no rows.
   */
  private boolean isExtreme(int op) {
    boolean[] found = {false};
    boolean agrees = allows(op, result.deciding(), row -> found[0] = true);
    return agrees && found[0] != result.isOfNothing();
  }

  private boolean isAggregate() {
    Aggregate aggregate = result.aggregate();
    rows.forEachCandidate(
        result.query(),
        row -> {
          deadline.spend(1);
          result.add(aggregate, row, rows.value(row));
        });
    return result.isGiven(aggregate);
  }

  /** Compares the keys of the rows, and for an update also the new values. */
  private boolean hasRows(int op) {
    int[] matched = {0};
    boolean agrees = allows(op, result.query(), row -> matched[0] += result.isShown(row) ? 1 : 0);
    return agrees && matched[0] == result.size();
  }

  /** Whether the result allows every row that matches a query, each of which is visited. */
  private boolean allows(int op, Query query, IntConsumer visitor) {
    boolean[] agrees = {true};
    rows.forEachMatching(
        query,
        row -> {
          deadline.spend(1);
          visitor.accept(row);
          if (!result.allows(row, true, rows.value(row))) {
            agrees[0] = false;
            if (divergence == null) {
              divergence = new Divergence(op, rows.write(row));
            }
          }
        });
    return agrees[0];
  }
}
