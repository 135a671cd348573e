package dev.assay.predicate;

import java.util.Map;

/** A condition on rows of known columns, ready to be evaluated. Stateless. */
public final class Matcher {
  private final Columns columns;
  private final Condition condition;
  private final Compiler.RowTruth where;
  private final RowValue aggregated;
  private final int[] slots;
  private final RowValue[] assigned;

  Matcher(Condition condition, Columns columns) {
    this.columns = columns;
    this.condition = condition;
    Compiler compiler = new Compiler(columns);
    where = compiler.truth(condition.where());
    String column = condition.aggregated();
    aggregated = column == null ? null : compiler.column(columns.slot(column));
    Map<String, Expression> set = condition.set();
    slots = new int[set.size()];
    assigned = new RowValue[slots.length];
    int i = 0;
    for (Map.Entry<String, Expression> assignment : set.entrySet()) {
      slots[i] = columns.slot(assignment.getKey());
      assigned[i++] = compiler.value(assignment.getValue());
    }
  }

  public Condition condition() {
    return condition;
  }

  /**
   * Whether the condition is true of a row; there is no row where the value is null.
   *
   * @throws EvaluationException if it has no value for this row
   */
  public boolean matches(Object key, Object value) {
    if (value == null) {
      return false;
    }
    try {
      columns.check(value);
      return where.of(key, value) == Compiler.TRUE;
    } catch (EvaluationException e) {
      throw e.inRow(key, value);
    }
  }

  /**
   * The new value of a row that an update matches, or null if it deletes the row; only for updates
   * that say what they set.
   *
   * @throws EvaluationException if it has no value for this row
   */
  public Object updated(Object key, Object value) {
    if (condition.form() == Condition.Form.DELETE) {
      return null;
    }
    if (condition.form() != Condition.Form.SET) {
      throw new IllegalStateException("not known what is set: " + condition);
    }
    try {
      columns.check(value);
      Object[] replacements = new Object[assigned.length];
      for (int i = 0; i < replacements.length; i++) {
        replacements[i] = assigned[i].of(key, value);
      }
      return columns.replaced(value, slots, replacements);
    } catch (EvaluationException e) {
      throw e.inRow(key, value);
    }
  }

  /**
   * Whether an update may turn a row that it matches into this; an update that does not say what it
   * sets may write anything.
   *
   * @throws EvaluationException if it has no value for this row
   */
  public boolean mayLeave(Object key, Object before, Object left) {
    return switch (condition.form()) {
      case SET -> updated(key, before).equals(left);
      case DELETE -> left == null;
      default -> true;
    };
  }

  /** An evaluation of this aggregate, to which no rows have been added yet. */
  public Aggregate aggregate() {
    if (!condition.form().isAggregate()) {
      throw new IllegalStateException("not an aggregate: " + condition);
    }
    return new Aggregate(this, condition.form(), aggregated);
  }

  /** This aggregate over rows, given as keys and values. */
  public Object aggregate(Iterable<? extends Map.Entry<?, ?>> rows) {
    Aggregate aggregate = aggregate();
    for (Map.Entry<?, ?> row : rows) {
      aggregate.add(row.getKey(), row.getValue());
    }
    return aggregate.result();
  }
}
