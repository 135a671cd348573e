package dev.assay.infer.predicates;

import dev.assay.predicate.Aggregate;
import dev.assay.predicate.Columns;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Matcher;
import dev.assay.predicate.Range;
import java.util.HashMap;
import java.util.Map;

/** A condition on the rows of a history, bound to their columns when it is first evaluated. */
public final class Query {
  private final Condition condition;
  private final Columns columns;
  private final Range range;
  private Matcher matcher;

  /** The queries of the rows that decide an extreme, by its value. */
  private Map<Object, Query> deciding;

  /**
   * Over rows with these columns.
   *
   * @throws ConditionException if the condition mentions any other column
   */
  public Query(Condition condition, Columns columns) throws ConditionException {
    condition.requireIn(columns);
    this.condition = condition;
    this.columns = columns;
    this.range = condition.range().orElse(null);
  }

  public Condition condition() {
    return condition;
  }

  /** The narrowest range of a column that all matching rows are in; null if there is none. */
  public Range range() {
    return range;
  }

  /** Whether it asks for a minimum or a maximum. */
  public boolean isExtreme() {
    return condition.form() == Condition.Form.MIN || condition.form() == Condition.Form.MAX;
  }

  public boolean matches(Object key, Object value) {
    return matcher().matches(key, value);
  }

  /** Whether an update may leave this of a row that it matches. */
  boolean mayLeave(Object key, Object before, Object left) {
    return matcher().mayLeave(key, before, left);
  }

  /** An evaluation of this aggregate, to which no rows have been added yet. */
  Aggregate aggregate() {
    return matcher().aggregate();
  }

  /** Whether this aggregate of a single row is a given one. */
  boolean gives(Object key, Object value, Object result) {
    Aggregate aggregate = aggregate();
    aggregate.add(key, value);
    return aggregate.gives(result);
  }

  /**
   * The query of the rows that decide a result: for an extreme those not beyond it, otherwise all
   * that match.
   */
  public Query deciding(Object result) {
    if (!isExtreme()) {
      return this;
    }
    if (deciding == null) {
      deciding = new HashMap<>();
    }
    return deciding.computeIfAbsent(result, this::refined);
  }

  private Query refined(Object extreme) {
    try {
      return new Query(condition.refined(extreme), columns);
    } catch (ConditionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Matcher matcher() {
    if (matcher == null) {
      try {
        matcher = condition.bind(columns);
      } catch (ConditionException e) {
        throw new IllegalStateException(e);
      }
    }
    return matcher;
  }
}
