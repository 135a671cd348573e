package dev.assay.infer.predicates;

import dev.assay.infer.RowVersions;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Range;
import dev.assay.predicate.RowValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A query over the versions of a history, with indexes that help to evaluate it quickly. */
final class IndexedQuery {
  /** Versions evaluated one by one before an index is used that covers only part of the query. */
  private static final int STEPS = 24;

  private final Query query;
  private final RowTable table;
  private final RowVersions rows;

  /** The aggregate over matching rows; {@link Condition.Form#ROWS} if there is none. */
  private final Condition.Form form;

  /** The column of an aggregate, whose every change matters; null otherwise. */
  private final String column;

  private final RowValue aggregated;

  /** Ranges that a version must be in to match: cheaper to evaluate than the condition. */
  private final RangeFilter[] filters;

  private final int[] candidates;

  /** Whether a row matches by its key alone, as long as it is there. */
  private final boolean byKey;

  /** The queries of the rows that decide an extreme, by its value. */
  private final Map<Object, IndexedQuery> deciding;

  IndexedQuery(Query query, RowTable table) throws ConditionException {
    this(query, query.condition().form(), query.condition().aggregated(), table);
  }

  private IndexedQuery(Query query, Condition.Form form, String column, RowTable table)
      throws ConditionException {
    this.query = query;
    this.form = form;
    this.column = column;
    this.table = table;
    this.rows = table.rows();
    this.filters = filters(query.condition(), table);
    Range range = query.range();
    this.candidates =
        range == null ? null : table.keysIn(range.column(), range.low(), range.high());
    this.aggregated = column == null ? null : table.column(column);
    this.deciding = query.isExtreme() ? new HashMap<>() : Map.of();
    this.byKey = aggregated == null && Set.of(Columns.KEY).containsAll(mentioned());
  }

  /** The columns that the condition mentions. */
  private Set<String> mentioned() {
    Condition condition = query.condition();
    return condition.form() == Condition.Form.ROWS
        ? condition.columns()
        : condition.refined(null).columns();
  }

  /** The ranges, an exact one first if there is one. */
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

  Query query() {
    return query;
  }

  /** Whether it deletes the rows that match, whatever they are. */
  boolean deletes() {
    return form == Condition.Form.DELETE;
  }

  /** Number of keys that have a version that may match. */
  int candidateCount() {
    return candidates == null ? rows.keys() : candidates.length;
  }

  /** One of these keys, by its place; they are in ascending order. */
  int candidate(int place) {
    return candidates == null ? place : candidates[place];
  }

  boolean isCandidate(int key) {
    return candidates == null || Arrays.binarySearch(candidates, key) >= 0;
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
    return matches(key, table.value(version));
  }

  boolean matches(int key, Object value) {
    return query.matches(table.key(key), value);
  }

  /** The last version up to one that changes the result of the predicate, or −1. */
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
      case RangeFilter.UNDECIDED -> lastChange(key, near, first, now);
      case RangeFilter.NONE -> -1;
      default -> match + 1;
    };
  }

  /** The last change up to a version and after another, one by one. */
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

  /** The first version after one that changes the result of the predicate, or −1. */
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
    return match == RangeFilter.UNDECIDED ? nextChange(key, near, end - 1, before) : match;
  }

  /** The first change after a version and up to another, one by one. */
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

  /** Whether a range alone determines which versions change the result. */
  private boolean hasRuns(int key, boolean matching) {
    boolean eachCounts = matching && aggregated != null;
    return filters.length > 0 && !eachCounts && filters[0].decides(key);
  }

  /** The nearest of some versions that matches, where those before it do not. */
  private int nearestMatch(int key, int from, int to, boolean matching, boolean forward) {
    return matching || filters.length == 0
        ? RangeFilter.UNDECIDED
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
    return form == Condition.Form.COUNT ? (is == null) != (was == null) : !Objects.equals(is, was);
  }

  /** The query of the rows that decide a result. */
  IndexedQuery deciding(Object result) {
    return query.isExtreme() ? deciding.computeIfAbsent(result, this::refined) : this;
  }

  private IndexedQuery refined(Object extreme) {
    try {
      return new IndexedQuery(query.deciding(extreme), form, column, table);
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }
}
