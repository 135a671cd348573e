package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.predicate.Aggregate;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.Range;
import dev.assay.predicate.RowValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One condition over the versions of a history, with whatever helps to evaluate it quickly. */
final class PredicateView {
  /** So many versions are asked before an index is that knows only part of the condition. */
  private static final int STEPS = 24;

  private final Condition condition;
  private final List<String> names;
  private final Matcher matcher;
  private final RowTable table;
  private final RowVersions rows;

  /** Ranges that a version must be in to match: cheaper to ask than the condition. */
  private final RangeFilter[] filters;

  private final int[] candidates;

  /** Whether a row matches by its key alone, as long as it is there. */
  private final boolean byKey;

  /** The column of an aggregate, whose every change matters; null otherwise. */
  private final RowValue aggregated;

  /** Whether it only matters if that column is null. */
  private final boolean counts;

  /** The conditions that decide an extreme, by its value. */
  private final Map<Object, PredicateView> deciding = new HashMap<>();

  /**
   * @param form what is done with the rows that match
   * @param column the column that it is done with; null if it is none
   */
  private PredicateView(
      Condition condition,
      Condition.Form form,
      String column,
      List<String> names,
      RowTable table,
      RowVersions rows)
      throws ConditionException {
    this.condition = condition;
    this.names = names;
    this.table = table;
    this.rows = rows;
    this.matcher = condition.bind(names);
    this.filters = filters(condition, table);
    Range range = condition.range().orElse(null);
    this.candidates =
        range == null ? null : table.keysIn(range.column(), range.low(), range.high());
    this.aggregated = column == null ? null : Columns.column(names, column);
    this.byKey = aggregated == null && Set.of(Columns.KEY).containsAll(mentioned(condition));
    this.counts = form == Condition.Form.COUNT;
  }

  /** The columns that say which rows match. */
  private static Set<String> mentioned(Condition condition) throws ConditionException {
    return condition.form() == Condition.Form.ROWS
        ? condition.columns()
        : condition.refined(null).columns();
  }

  /** The ranges, one that says it all first if there is one. */
  private static RangeFilter[] filters(Condition condition, RowTable table)
      throws ConditionException {
    List<RangeFilter> filters = new ArrayList<>();
    for (String column : condition.columns()) {
      Range range = condition.range(column).orElse(null);
      if (range != null) {
        filters.add(range.exact() ? 0 : filters.size(), table.filter(range));
      }
    }
    return filters.toArray(RangeFilter[]::new);
  }

  /** The different conditions of a history; null for one that is not understood. */
  static PredicateView[] of(
      History history,
      RowTable table,
      RowVersions rows,
      List<String> names,
      List<String> problems) {
    Conditions conditions = Conditions.of(history.predicates());
    PredicateView[] views = new PredicateView[conditions.count()];
    for (int number = 0; number < views.length; number++) {
      try {
        Condition condition = conditions.get(number);
        views[number] =
            new PredicateView(
                condition, condition.form(), condition.aggregated(), names, table, rows);
      } catch (ConditionException e) {
        if (problems.isEmpty()) {
          problems.add(e.getMessage());
        }
      }
    }
    return views;
  }

  Condition condition() {
    return condition;
  }

  /** Whether it deletes the rows that match, whatever they are. */
  boolean deletes() {
    return condition.form() == Condition.Form.DELETE;
  }

  /** The keys of which some version may match, ascending; null for all. */
  int[] candidates() {
    return candidates;
  }

  boolean matches(int key, int version) {
    for (RangeFilter filter : filters) {
      if (filter.hasInteger(version)) {
        if (!filter.contains(version)) {
          return false;
        }
        if (filter.isExact()) {
          return true;
        }
      }
    }
    return matcher.matches(table.key(key), table.value(version));
  }

  boolean matches(int key, Object value) {
    return matcher.matches(table.key(key), value);
  }

  /** Whether an update may leave this of a row that it matches. */
  boolean mayLeave(int key, Object before, Object left) {
    return matcher.mayLeave(table.key(key), before, left);
  }

  /** Whether a row alone would give a result of this aggregate. */
  boolean gives(int key, Object value, Object result) {
    Aggregate aggregate = matcher.aggregate();
    aggregate.add(table.key(key), value);
    return Objects.equals(aggregate.result(), result);
  }

  /** What an operation saw of a key. */
  interface Seen {
    Object value(int key);
  }

  /** The aggregate over what was seen. */
  Object aggregate(Seen seen) {
    Aggregate aggregate = matcher.aggregate();
    for (int key = 0; key < rows.keys(); key++) {
      Object value = seen.value(key);
      if (value != null) {
        aggregate.add(table.key(key), value);
      }
    }
    return aggregate.result();
  }

  /** The aggregate over some rows by their keys; null for one that is not there. */
  Object aggregate(Map<Integer, Object> seen) {
    Aggregate aggregate = matcher.aggregate();
    seen.forEach(
        (key, value) -> {
          if (value != null) {
            aggregate.add(table.key(key), value);
          }
        });
    return aggregate.result();
  }

  /** The last version up to one that changes what the predicate gives, or −1. */
  int lastChange(int key, int version) {
    if (byKey) {
      return ifMatching(key, table.lastComing(version));
    }
    int first = rows.first(key);
    boolean now = matches(key, version);
    if (hasRuns(key, now)) {
      int start = filters[0].runStart(key, version);
      return start > first ? start : -1;
    }
    int near = Math.max(first, version - STEPS);
    int change = lastChange(key, version, near, now);
    if (change >= 0 || near == first) {
      return change;
    }
    int match = nearestMatch(key, first, near, now, false);
    return switch (match) {
      case RangeFilter.UNTOLD -> lastChange(key, near, first, now);
      case RangeFilter.NONE -> -1;
      default -> match + 1;
    };
  }

  /** The last change up to a version and after another, by asking one after another. */
  private int lastChange(int key, int version, int after, boolean matches) {
    boolean now = matches;
    for (int v = version; v > after; v--) {
      boolean before = matches(key, v - 1);
      if (changes(key, v, now, before)) {
        return v;
      }
      now = before;
    }
    return -1;
  }

  /** The first version after one that changes what the predicate gives, or −1. */
  int nextChange(int key, int version) {
    if (byKey) {
      return ifMatching(key, table.nextComing(version));
    }
    int end = rows.end(key);
    boolean before = matches(key, version);
    if (hasRuns(key, before)) {
      int after = filters[0].runEnd(key, version);
      return after < end ? after : -1;
    }
    int near = Math.min(end - 1, version + STEPS);
    int change = nextChange(key, version, near, before);
    if (change >= 0 || near == end - 1) {
      return change;
    }
    int match = nearestMatch(key, near + 1, end, before, true);
    return match == RangeFilter.UNTOLD ? nextChange(key, near, end - 1, before) : match;
  }

  /** The first change after a version and up to another, by asking one after another. */
  private int nextChange(int key, int version, int upTo, boolean matches) {
    boolean before = matches;
    for (int v = version + 1; v <= upTo; v++) {
      boolean now = matches(key, v);
      if (changes(key, v, now, before)) {
        return v;
      }
      before = now;
    }
    return -1;
  }

  /** Whether a range says all of where a version changes what the predicate gives. */
  private boolean hasRuns(int key, boolean matching) {
    boolean eachCounts = matching && aggregated != null;
    return filters.length > 0 && !eachCounts && filters[0].decides(key);
  }

  /** The nearest of some versions that matches, where those before it do not. */
  private int nearestMatch(int key, int from, int to, boolean matching, boolean forward) {
    return matching || filters.length == 0
        ? RangeFilter.UNTOLD
        : filters[0].nearestMatch(key, from, to, forward, v -> matches(key, v));
  }

  /** A version with which a row comes or goes, if that matters. */
  private int ifMatching(int key, int version) {
    return version >= 0 && (matches(key, version) || matches(key, version - 1)) ? version : -1;
  }

  private boolean changes(int key, int version, boolean now, boolean before) {
    if (now != before || aggregated == null || !now) {
      return now != before;
    }
    Object is = aggregated.of(table.key(key), table.value(version));
    Object was = aggregated.of(table.key(key), table.value(version - 1));
    return counts ? (is == null) != (was == null) : !Objects.equals(is, was);
  }

  /** The condition of the rows that decide what an operation gave. */
  PredicateView deciding(History history, int op) {
    boolean extreme =
        condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
    if (!extreme) {
      return this;
    }
    Object given = history.values().get(history.predicates().result(history.value(op)));
    return deciding.computeIfAbsent(given, this::refined);
  }

  private PredicateView refined(Object extreme) {
    try {
      return new PredicateView(
          condition.refined(extreme), condition.form(), condition.aggregated(), names, table, rows);
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }
}
