package dev.assay.predicate;

/** What differs between databases and tables in the SQL of a condition. */
@FunctionalInterface
public interface SqlTerms {
  /** The SQL for a column of the condition, such as its name in quotation marks. */
  String column(String name);

  /** A text literal. To be overridden for databases in which a backslash is an escape. */
  default String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** The remainder, with the sign of the dividend. */
  default String remainder(String dividend, String divisor) {
    return "MOD(" + dividend + ", " + divisor + ")";
  }
}
