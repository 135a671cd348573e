package dev.assay.check.replay;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Matcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A store on which transactions run one after another. Each operation of a history is done on it,
 * and what it gives is compared with what it gave when the history was recorded.
 */
public final class Replay {
  private final History history;
  private final RowStore rows;
  private final int[][] lists;
  private final int[] lengths;
  private final Map<Integer, Set<Integer>> sets = new HashMap<>();
  private final long[] counters;

  /** The row that the predicate operation at hand gave of a key, if the lookup is this one. */
  private final int[] rowOf;

  private final int[] lookup;
  private int lookups;

  /** How to take back what the running transaction did, last first; null where it is to stay. */
  private Deque<Runnable> undo;

  private BitSet ignored = new BitSet();
  private Divergence divergence;

  /**
   * An operation that saw something else.
   *
   * @param operation the operation
   * @param expected what wrote the version that it should have seen, or should not have missed; −1
   *     where that is the initial one, or not a single one
   */
  public record Divergence(int operation, int expected) {}

  public Replay(History history) throws ConditionException {
    this.history = history;
    this.rows = new RowStore(history);
    int keys = history.keys().count();
    this.lists = new int[history.uses(OpKind.Type.LIST) ? keys : 0][];
    this.lengths = new int[lists.length];
    int looked = history.uses(OpKind.Type.PREDICATE) ? keys : 0;
    this.rowOf = new int[looked];
    this.lookup = new int[looked];
    this.counters = new long[history.uses(OpKind.Type.COUNTER) ? keys : 0];
  }

  /** Runs a transaction for good; the first operation that differs, or null. */
  Divergence run(int txn) {
    undo = null;
    return runOperations(txn);
  }

  /** Runs a transaction and takes back what it wrote. */
  public Divergence tryOut(int txn) {
    undo = new ArrayDeque<>();
    Divergence found = runOperations(txn);
    undo.forEach(Runnable::run);
    return found;
  }

  /** Writes what a transaction wrote, without looking at what it saw. */
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

  /** The same, for as long as what this gives is not run. */
  public Runnable installed(int txn) {
    Deque<Runnable> done = new ArrayDeque<>();
    undo = done;
    doWrites(txn);
    return () -> done.forEach(Runnable::run);
  }

  /** Operations whose results are not compared from now on. */
  public void ignore(BitSet operations) {
    ignored = operations;
  }

  /** The operation that wrote the current value of each register; −1 where there is none. */
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
        divergence = new Divergence(op, RowStore.NOBODY);
      }
    }
    return divergence;
  }

  private boolean doOperation(int op) {
    int key = history.key(op);
    int value = history.value(op);
    switch (history.kind(op)) {
      case WRITE -> set(key, op);
      case APPEND -> append(key, value);
      case ADD -> addElement(key, value);
      case INCREMENT -> {
        long n = history.values().asLong(value);
        counters[key] += n;
        undoBy(() -> counters[key] -= n);
      }
      case READ -> {
        return value == Values.UNKNOWN || readsCurrent(op, key, value);
      }
      case LIST_READ -> {
        return value == Values.UNKNOWN || isList(key, value);
      }
      case SET_READ -> {
        return value == Values.UNKNOWN || isSet(key, value);
      }
      case COUNTER_READ -> {
        boolean known = value != Values.UNKNOWN;
        long seen = known && value != Values.NIL ? history.values().asLong(value) : 0;
        return !known || seen == counters[key];
      }
      case SELECT, UPDATE -> {
        return doPredicate(op);
      }
    }
    return true;
  }

  private void undoBy(Runnable action) {
    if (undo != null) {
      undo.push(action);
    }
  }

  private void set(int key, int op) {
    int before = rows.write(key);
    rows.set(key, op);
    if (undo != null) {
      undo.push(() -> rows.set(key, before));
    }
  }

  private boolean readsCurrent(int op, int key, int value) {
    int current = rows.code(key);
    boolean bothInitial = history.isInitial(key, value) && history.isInitial(key, current);
    if (value == current || bothInitial) {
      return true;
    }
    if (divergence == null) {
      divergence = new Divergence(op, rows.write(key));
    }
    return false;
  }

  // ---- lists and sets

  private void append(int key, int element) {
    if (lists[key] == null) {
      lists[key] = new int[4];
    } else if (lengths[key] == lists[key].length) {
      lists[key] = Arrays.copyOf(lists[key], lengths[key] * 2);
    }
    lists[key][lengths[key]++] = element;
    undoBy(() -> lengths[key]--);
  }

  private boolean isList(int key, int sequence) {
    Sequences sequences = history.sequences();
    boolean same = sequences.length(sequence) == lengths[key];
    for (int i = 0; same && i < lengths[key]; i++) {
      same = sequences.element(sequence, i) == lists[key][i];
    }
    return same;
  }

  private void addElement(int key, int element) {
    Set<Integer> elements = sets.computeIfAbsent(key, k -> new HashSet<>());
    if (elements.add(element)) {
      undoBy(() -> elements.remove(element));
    }
  }

  private boolean isSet(int key, int sequence) {
    Set<Integer> elements = sets.getOrDefault(key, Set.of());
    Sequences sequences = history.sequences();
    boolean same = sequences.length(sequence) == elements.size();
    for (int i = 0; same && i < elements.size(); i++) {
      same = elements.contains(sequences.element(sequence, i));
    }
    return same;
  }

  // ---- predicates

  private boolean doPredicate(int op) {
    int number = history.predicates().conditionNumber(history.value(op));
    return switch (rows.condition(number).form()) {
      case MIN, MAX -> isExtreme(op, number);
      case COUNT, SUM -> isAggregate(op, number);
      default -> hasRows(op, number);
    };
  }

  private Object result(int op) {
    return history.values().get(history.predicates().result(history.value(op)));
  }

  /** Of the rows that decide an extreme all must have its value, and there must be one. */
  private boolean isExtreme(int op, int number) {
    Object given = result(op);
    RowStore.Deciding deciding = rows.deciding(number, given);
    Matcher whole = rows.matcher(number);
    boolean[] found = {false};
    boolean[] differs = {false};
    rows.forEach(
        deciding.range(),
        row -> {
          if (deciding.matcher().matches(rows.key(row), rows.value(row))) {
            Aggregate own = whole.aggregate();
            own.add(rows.key(row), rows.value(row));
            found[0] = true;
            if (!Objects.equals(own.result(), given)) {
              differs[0] = true;
              missed(op, rows.write(row));
            }
          }
        });
    return !differs[0] && found[0] == (given != null);
  }

  private boolean isAggregate(int op, int number) {
    Aggregate aggregate = rows.matcher(number).aggregate();
    rows.forEach(rows.range(number), row -> aggregate.add(rows.key(row), rows.value(row)));
    return Objects.equals(aggregate.result(), result(op));
  }

  /** Compares the keys of the rows; of an update also what it made of them. */
  private boolean hasRows(int op, int number) {
    lookups++;
    for (int row = op + 1; row < history.nextOp(op); row++) {
      int key = history.key(row);
      lookup[key] = lookups;
      rowOf[key] = row;
    }
    boolean[] agrees = {true};
    int[] matched = {0};
    rows.forEachMatching(
        number,
        row -> {
          boolean listed = lookup[row] == lookups;
          matched[0] += listed ? 1 : 0;
          if (!listed || !becomes(number, row, rowOf[row])) {
            agrees[0] = false;
            missed(op, rows.write(row));
          }
        });
    return agrees[0] && matched[0] == history.nextOp(op) - op - 1;
  }

  /**
   * Whether an update makes of a row what it left; what a select returned is compared as a read.
   */
  private boolean becomes(int number, int row, int at) {
    Object left = history.values().get(history.value(at));
    return rows.matcher(number).mayLeave(rows.key(row), rows.value(row), left);
  }

  private void missed(int op, int write) {
    if (divergence == null) {
      divergence = new Divergence(op, write);
    }
  }
}
