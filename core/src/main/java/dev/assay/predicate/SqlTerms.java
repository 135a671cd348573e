package dev.assay.predicate;

/** What differs between databases and tables in the SQL of a condition. */
@FunctionalInterface
public interface SqlTerms {
  /** The SQL for a column of the condition, such as its name in quotation marks. */
  String column(String name);

  /** A text literal. Databases that take a backslash for an escape need another way. */
  default String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** The remainder, with the sign of the dividend. */
  default String remainder(String dividend, String divisor) {
    return "MOD(" + dividend + ", " + divisor + ")";
  }
}
