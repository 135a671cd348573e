package dev.assay.collect.workload;

import java.util.Locale;

/**
 * What a client can do with rows, each of which has a key {@code k}, a value {@code val} that
 * conditions look at, and a version {@code ver} that no other write of the row has. The session
 * that carries an operation out chooses the version.
 */
public sealed interface RowOperation {
  /** Whether it changes rows. */
  default boolean writes() {
    return this instanceof Insert || this instanceof Update || this instanceof Delete;
  }

  /** Puts a row there, whether or not there was one. */
  record Insert(long key, long value) implements RowOperation {}

  /** Reads the row of a key. */
  record Read(long key) implements RowOperation {}

  /** Reads the rows that match. */
  record Select(RowCondition where) implements RowOperation {}

  /** Reads the smallest or the largest value of the rows that match. */
  record Aggregate(Function function, RowCondition where) implements RowOperation {}

  /** Changes the rows that match; by key it may meet none either. */
  record Update(RowCondition where, NewValue value) implements RowOperation {}

  /** Deletes the rows that match. */
  record Delete(RowCondition where) implements RowOperation {}

  /** An aggregate over {@code val}. */
  enum Function {
    MIN,
    MAX;

    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What {@code val} becomes.
   *
   * @param sql the right side of the assignment
   * @param json the same in the language of predicate operations
   */
  record NewValue(String sql, String json) {
    public static NewValue of(long number) {
      return new NewValue(Long.toString(number), Long.toString(number));
    }

    /** The old one and this much more. */
    public static NewValue plus(long number) {
      return new NewValue("val + " + number, "[\"+\",\"val\"," + number + "]");
    }
  }
}
