package dev.assay.infer.predicates;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.predicate.Aggregate;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which states of rows explain the result of a predicate operation. Everything that
 * compares results with versions uses this: with the versions of a certificate, all versions that a
 * transaction can have seen, those committed before it, or the rows of a replay.
 *
 * <p>Most results are explained row by row. A row that is shown must have matched, and an update
 * must have been able to leave what it left; a row that is not shown must not have matched. A
 * minimum or a maximum is not explained by a row beyond it, and a count of no rows not by one that
 * matches. Other aggregates are explained only by all rows together.
 */
public final class ResultExplainer {
  private final History history;
  private final Query[] queries;
  private final Object[] keys;

  /** The row of the last result that showed a key. */
  private final int[] rowOf;

  private final List<Integer> repeated = new ArrayList<>();
  private int op;
  private int end;
  private boolean updates;
  private Query query;
  private Object given;

  /**
   * Explains the results of a history.
   *
   * @param queries by the numbers of conditions
   * @param keys the names of the keys
   */
  public ResultExplainer(History history, Query[] queries, Object[] keys) {
    this.history = history;
    this.queries = queries;
    this.keys = keys;
    this.rowOf = new int[keys.length];
  }

  /** Sets the operation whose result is to be explained from now on. */
  public void lookAt(int operation) {
    op = operation;
    end = history.nextOp(op);
    updates = history.kind(op) == OpKind.UPDATE;
    query = queries[history.predicates().conditionNumber(history.value(op))];
    given = null;
    repeated.clear();
    if (isAggregate() && isKnown()) {
      given = history.values().get(history.predicates().result(history.value(op)));
    }
    for (int row = op + 1; row < end; row++) {
      if (isShown(history.key(row))) {
        repeated.add(row);
      }
      rowOf[history.key(row)] = row;
    }
  }

  // ---- the result

  public Query query() {
    return query;
  }

  /** The query of the rows that decide the result: for an extreme those not beyond it. */
  public Query deciding() {
    return query.deciding(given);
  }

  public boolean isAggregate() {
    return query.condition().form().isAggregate();
  }

  /** Whether the result was recorded. */
  boolean isKnown() {
    return !isAggregate() || history.predicates().result(history.value(op)) != Values.UNKNOWN;
  }

  /** The value of an aggregate. */
  Object given() {
    return given;
  }

  /** Whether no row at all took part in an aggregate. */
  public boolean isOfNothing() {
    return switch (query.condition().form()) {
      case MIN, MAX -> given == null;
      case COUNT -> query.condition().aggregated() == null && Long.valueOf(0).equals(given);
      default -> false;
    };
  }

  /** Whether the result constrains each row separately. */
  boolean isAboutEachRow() {
    return !isAggregate() || query.isExtreme() || isOfNothing();
  }

  /** Number of rows shown, repetitions included. */
  public int size() {
    return end - op - 1;
  }

  /** The operation that shows a key, the last one if it is shown twice; −1 if none does. */
  int row(int key) {
    int row = rowOf[key];
    return row > op && row < end ? row : -1;
  }

  public boolean isShown(int key) {
    return row(key) >= 0;
  }

  /** Rows of a key that was shown before. No state of a table has a row twice. */
  List<Integer> repeated() {
    return repeated;
  }

  boolean matches(int key, Object state) {
    return query.matches(keys[key], state);
  }

  /** Whether a row that is shown matches as it is shown. */
  boolean matchesAsShown(int row) {
    return matches(history.key(row), shown(row));
  }

  private Object shown(int row) {
    return history.values().get(history.value(row));
  }

  // ---- what explains it

  /**
   * Whether the result may be that of a table in which a row is like this. What a select shows of a
   * row is not compared: it is also a read of the row, and judged as such.
   *
   * @param matches whether the row matches; for an extreme, whether it {@linkplain Query#deciding
   *     decides} the result
   * @param state the row, or null if there is none
   */
  public boolean allows(int key, boolean matches, Object state) {
    if (isAggregate()) {
      return !matches || query.gives(keys[key], state, given);
    }
    int row = row(key);
    if (row < 0 || !matches) {
      return matches == row >= 0;
    }
    return !updates || query.mayLeave(keys[key], state, shown(row));
  }

  /** The same, evaluating the condition. */
  boolean allows(int key, Object state) {
    return allows(key, deciding().matches(keys[key], state), state);
  }

  /** As {@link #allows(int, boolean, Object)}, with what a select shows of the row. */
  boolean explains(int key, boolean matches, Object state) {
    int row = row(key);
    return allows(key, matches, state) && (row < 0 || updates || state.equals(shown(row)));
  }

  /** Whether an aggregate of a single row would be the one given. */
  boolean gives(int key, Object state) {
    return query.gives(keys[key], state, given);
  }

  /** Whether a count would count a row. */
  boolean counts(int key, Object state) {
    return query.gives(keys[key], state, 1L);
  }

  /** An evaluation of the aggregate, for {@link #isGiven}. */
  public Aggregate aggregate() {
    return query.aggregate();
  }

  /** Adds a row to an evaluation. */
  public void add(Aggregate aggregate, int key, Object state) {
    if (state != null) {
      aggregate.add(keys[key], state);
    }
  }

  /** Whether an aggregate over all rows is the one given. */
  public boolean isGiven(Aggregate aggregate) {
    return aggregate.gives(given);
  }
}
