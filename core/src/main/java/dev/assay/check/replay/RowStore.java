package dev.assay.check.replay;

import dev.assay.history.History;
import dev.assay.history.Predicates;
import dev.assay.history.Values;
import dev.assay.infer.predicates.Query;
import dev.assay.infer.predicates.ResultExplainer;
import dev.assay.predicate.Columns;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import dev.assay.predicate.Range;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The current value of every register, with an index over each column that conditions bound, so
 * that a range costs its result and not the table.
 */
final class RowStore {
  /** In place of the operation that wrote an initial value. */
  static final int INITIAL = -1;

  private final History history;
  private final int[] write;
  private final boolean hasPredicates;

  /** The names of the registers; empty if there are no predicate operations. */
  private final Object[] keys;

  private final Query[] queries;
  private final Map<String, RowIndex> indexes = new HashMap<>();
  private final TreeSet<Integer> present = new TreeSet<>();

  RowStore(History history) throws ConditionException {
    this.history = history;
    this.write = new int[history.keys().count()];
    Arrays.fill(write, INITIAL);
    Predicates predicates = history.predicates();
    this.hasPredicates = predicates.count() > 0;
    this.keys = new Object[hasPredicates ? write.length : 0];
    Arrays.setAll(keys, history.keys()::get);
    this.queries = new Query[predicates.conditionCount()];
    List<String> names = Columns.parse(history.metadata().get(Columns.METADATA));
    Columns columns = Columns.of(names);
    Conditions conditions = Conditions.of(predicates);
    for (int number = 0; number < queries.length; number++) {
      Query query = new Query(conditions.get(number), columns);
      queries[number] = query;
      if (query.range() != null) {
        index(query.range().column(), names);
      }
      if (query.isExtreme()) {
        index(query.condition().aggregated(), names);
      }
    }
  }

  private void index(String column, List<String> names) throws ConditionException {
    if (!indexes.containsKey(column)) {
      indexes.put(column, new RowIndex(Columns.column(names, column)));
    }
  }

  /** What explains the results of the history's predicate operations. */
  ResultExplainer explainer() {
    return new ResultExplainer(history, queries, keys);
  }

  /** The operation that wrote the current value of a register, or {@link #INITIAL}. */
  int write(int key) {
    return write[key];
  }

  /** The code of the current value of a register; nil where nothing wrote it. */
  int code(int key) {
    return write[key] == INITIAL ? history.initialValue(key) : history.value(write[key]);
  }

  /** The current row, or null. */
  Object value(int key) {
    int code = code(key);
    return code == Values.NIL ? null : history.values().get(code);
  }

  void set(int key, int op) {
    if (!hasPredicates) {
      write[key] = op;
      return;
    }
    Object before = value(key);
    write[key] = op;
    Object after = value(key);
    Object name = keys[key];
    if (before != null) {
      indexes.values().forEach(index -> index.remove(key, name, before));
      present.remove(key);
    }
    if (after != null) {
      indexes.values().forEach(index -> index.add(key, name, after));
      present.add(key);
    }
  }

  /** All rows that may match a query. */
  void forEachCandidate(Query query, IntConsumer action) {
    forEach(query.range(), action, action);
  }

  /** All rows that match a query; not evaluated where a range decides it. */
  void forEachMatching(Query query, IntConsumer action) {
    Range range = query.range();
    IntConsumer ifMatching =
        row -> {
          if (query.matches(keys[row], value(row))) {
            action.accept(row);
          }
        };
    forEach(range, range != null && range.exact() ? action : ifMatching, ifMatching);
  }

  /** All rows in a range, and those that its index does not contain; all rows without an index. */
  private void forEach(Range range, IntConsumer inside, IntConsumer odd) {
    RowIndex index = range == null ? null : indexes.get(range.column());
    if (index == null) {
      present.forEach(odd::accept);
    } else {
      index.forEach(range.low(), range.high(), inside, odd);
    }
  }
}
