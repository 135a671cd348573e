package dev.assay.check.replay;

import dev.assay.history.History;
import dev.assay.history.Predicates;
import dev.assay.history.Values;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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
  /** Stands for the operation that wrote an initial value. */
  static final int NOBODY = -1;

  private final History history;
  private final int[] write;
  private final boolean hasPredicates;

  /** The names of the registers; empty where no predicate asks for them. */
  private final Object[] keys;

  private final List<String> names;
  private final Columns columns;
  private final Condition[] conditions;
  private final Matcher[] matchers;
  private final Range[] ranges;
  private final List<Map<Object, Deciding>> deciding;
  private final Map<String, RowIndex> indexes = new HashMap<>();
  private final TreeSet<Integer> present = new TreeSet<>();

  RowStore(History history) throws ConditionException {
    this.history = history;
    this.write = new int[history.keys().count()];
    Arrays.fill(write, NOBODY);
    Predicates predicates = history.predicates();
    this.hasPredicates = predicates.count() > 0;
    this.keys = new Object[hasPredicates ? write.length : 0];
    Arrays.setAll(keys, history.keys()::get);
    this.names = Columns.parse(history.metadata().get(Columns.METADATA));
    this.conditions = new Condition[predicates.conditionCount()];
    this.matchers = new Matcher[conditions.length];
    this.ranges = new Range[conditions.length];
    this.columns = Columns.of(names);
    Conditions parsed = Conditions.of(predicates);
    this.deciding = new ArrayList<>(Collections.nCopies(conditions.length, null));
    for (int predicate = 0; predicate < predicates.count(); predicate++) {
      int number = predicates.conditionNumber(predicate);
      if (conditions[number] == null) {
        prepare(number, parsed.get(number));
      }
    }
  }

  private void prepare(int number, Condition condition) throws ConditionException {
    conditions[number] = condition;
    condition.requireIn(columns);
    ranges[number] = condition.range().orElse(null);
    if (ranges[number] != null) {
      index(ranges[number].column());
    }
    boolean extreme =
        condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
    if (extreme) {
      index(condition.aggregated());
    }
  }

  private void index(String column) throws ConditionException {
    if (!indexes.containsKey(column)) {
      indexes.put(column, new RowIndex(Columns.column(names, column)));
    }
  }

  Condition condition(int number) {
    return conditions[number];
  }

  Matcher matcher(int number) {
    if (matchers[number] == null) {
      matchers[number] = bound(conditions[number]);
    }
    return matchers[number];
  }

  private Matcher bound(Condition condition) {
    try {
      return condition.bind(columns);
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }

  Range range(int number) {
    return ranges[number];
  }

  /**
   * The rows that decide an extreme.
   *
   * @param range where they are; null where that is not known
   */
  record Deciding(Matcher matcher, Range range) {}

  /** The rows that decide a value of an extreme. */
  Deciding deciding(int number, Object extreme) {
    if (deciding.get(number) == null) {
      deciding.set(number, new HashMap<>());
    }
    return deciding.get(number).computeIfAbsent(extreme, value -> refined(number, value));
  }

  private Deciding refined(int number, Object extreme) {
    Condition refined = conditions[number].refined(extreme);
    return new Deciding(bound(refined), refined.range().orElse(null));
  }

  /** The operation that wrote the current value of a register, or {@link #NOBODY}. */
  int write(int key) {
    return write[key];
  }

  /** The code of the current value of a register; nil where nobody wrote it. */
  int code(int key) {
    return write[key] == NOBODY ? history.initialValue(key) : history.value(write[key]);
  }

  Object key(int key) {
    return keys[key];
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
    Object name = key(key);
    if (before != null) {
      indexes.values().forEach(index -> index.remove(key, name, before));
      present.remove(key);
    }
    if (after != null) {
      indexes.values().forEach(index -> index.add(key, name, after));
      present.add(key);
    }
  }

  /** All rows that may be in a range, or all there are where there is none. */
  void forEach(Range range, IntConsumer action) {
    RowIndex index = range == null ? null : indexes.get(range.column());
    if (index == null) {
      present.forEach(action::accept);
    } else {
      index.forEach(range.low(), range.high(), action, action);
    }
  }

  /** All rows that match a condition; where a range says it all, without looking at them. */
  void forEachMatching(int number, IntConsumer action) {
    Range range = ranges[number];
    IntConsumer ifMatching =
        row -> {
          if (matcher(number).matches(key(row), value(row))) {
            action.accept(row);
          }
        };
    if (range != null && range.exact()) {
      indexes.get(range.column()).forEach(range.low(), range.high(), action, ifMatching);
    } else {
      forEach(range, ifMatching);
    }
  }
}
