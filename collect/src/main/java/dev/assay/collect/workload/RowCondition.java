package dev.assay.collect.workload;

/**
 * A condition on rows, written twice: as SQL for the database and as JSON for the history.
 *
 * @param sql what follows {@code WHERE}
 * @param json the same in the language of predicate operations
 */
public record RowCondition(String sql, String json) {
  /** The row of one key. */
  public static RowCondition key(long key) {
    return equal("k", key);
  }

  /** The rows whose column is this number. */
  public static RowCondition equal(String column, long number) {
    return new RowCondition(column + " = " + number, "[\"=\",\"" + column + "\"," + number + "]");
  }

  /** The rows whose column is in a range, both ends included. */
  public static RowCondition between(String column, long low, long high) {
    return new RowCondition(
        column + " BETWEEN " + low + " AND " + high,
        "[\"between\",\"" + column + "\"," + low + "," + high + "]");
  }

  public RowCondition and(RowCondition other) {
    return new RowCondition(sql + " AND " + other.sql, "[\"and\"," + json + "," + other.json + "]");
  }
}
