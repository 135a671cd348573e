package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.Predicates;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.Range;
import dev.assay.predicate.RowValue;
import java.util.List;
import java.util.Objects;

/** One condition over the versions of a history, with whatever helps to evaluate it quickly. */
final class PredicateView {
  private final Condition condition;
  private final List<String> names;
  private final Matcher matcher;
  private final RowTable table;
  private final RowVersions rows;

  /** Where a range decides: the column of each version, and the range. */
  private final long[] integers;

  private final Range range;
  private final int[] candidates;

  /** The column whose every change matters: that of a sum; null otherwise. */
  private final RowValue added;

  private PredicateView(Condition condition, List<String> names, RowTable table, RowVersions rows)
      throws ConditionException {
    this.condition = condition;
    this.names = names;
    this.table = table;
    this.rows = rows;
    this.matcher = condition.bind(names);
    this.range = condition.range().orElse(null);
    boolean exact = range != null && range.exact();
    this.integers = exact ? table.integers(range.column()) : null;
    this.candidates =
        range == null ? null : table.keysIn(range.column(), range.low(), range.high());
    boolean sums = condition.form() == Condition.Form.SUM;
    this.added = sums ? Columns.column(names, condition.aggregated()) : null;
  }

  /** The different conditions of a history; null for one that is not understood. */
  static PredicateView[] of(
      History history,
      RowTable table,
      RowVersions rows,
      List<String> names,
      List<String> problems) {
    Predicates predicates = history.predicates();
    PredicateView[] views = new PredicateView[predicates.conditionCount()];
    for (int predicate = 0; predicate < predicates.count(); predicate++) {
      int number = predicates.conditionNumber(predicate);
      if (views[number] == null) {
        try {
          Condition condition = Condition.parse(predicates.condition(predicate));
          views[number] = new PredicateView(condition, names, table, rows);
        } catch (ConditionException e) {
          if (problems.isEmpty()) {
            problems.add(e.getMessage());
          }
        }
      }
    }
    return views;
  }

  Condition condition() {
    return condition;
  }

  /** The keys of which some version may match, ascending; null for all. */
  int[] candidates() {
    return candidates;
  }

  boolean matches(int key, int version) {
    if (integers != null && integers[version] != RowTable.NO_INTEGER) {
      return range.contains(integers[version]);
    }
    return matcher.matches(table.key(key), table.value(version));
  }

  boolean matches(int key, Object value) {
    return matcher.matches(table.key(key), value);
  }

  Object updated(int key, Object before) {
    return matcher.updated(table.key(key), before);
  }

  /** Whether a row alone would give a result of this aggregate. */
  boolean gives(int key, Object value, Object result) {
    Aggregate aggregate = matcher.aggregate();
    aggregate.add(table.key(key), value);
    return Objects.equals(aggregate.result(), result);
  }

  /** What an operation saw of a key. */
  interface Seen {
    Object value(int key, Matcher matcher);
  }

  /** The aggregate over what was seen. */
  Object aggregate(Seen seen, RowTable rowTable) {
    Aggregate aggregate = matcher.aggregate();
    int count = rows.keys();
    for (int key = 0; key < count; key++) {
      Object value = seen.value(key, matcher);
      if (value != null) {
        aggregate.add(rowTable.key(key), value);
      }
    }
    return aggregate.result();
  }

  /** Whether a version, which is not an initial one, changes what the predicate gives. */
  boolean changes(int key, int version) {
    boolean now = matches(key, version);
    boolean before = matches(key, version - 1);
    if (now != before || added == null || !now) {
      return now != before;
    }
    Object is = added.of(table.key(key), table.value(version));
    Object was = added.of(table.key(key), table.value(version - 1));
    return !Objects.equals(is, was);
  }

  /** The condition of the rows that decide what an operation gave. */
  PredicateView deciding(History history, int op) {
    boolean extreme =
        condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
    if (!extreme) {
      return this;
    }
    Object given = history.values().get(history.predicates().result(history.value(op)));
    try {
      return new PredicateView(condition.refined(given), names, table, rows);
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }
}
