package dev.assay.collect.db;

/**
 * Statements on {@link Table#ROWS}. Numbers are in the text rather than in parameters, because
 * databases disagree on how an untyped parameter inside an expression is written.
 */
public final class RowSql {
  private static final String NAME = Table.ROWS.sqlName();
  private static final String COLUMNS = "k, val, ver";
  private static final String INSERT = "INSERT INTO " + NAME + " (" + COLUMNS + ") VALUES ";

  private final Dialect dialect;

  RowSql(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Reads key, value and version of the rows that match; all rows for null. */
  public String select(String where, boolean forUpdate) {
    String lock = forUpdate && dialect.locksRows() ? " FOR UPDATE" : "";
    return "SELECT " + COLUMNS + " FROM " + NAME + where(where) + lock;
  }

  /** Reads an aggregate of the values of the rows that match. */
  public String aggregate(String function, String where) {
    return "SELECT " + function + "(val) AS result FROM " + NAME + where(where);
  }

  public String insert(long key, long value, long version) {
    return INSERT + "(" + key + ", " + value + ", " + version + ")";
  }

  /** Inserts a row or changes the one that is there, in one statement. */
  public String upsert(long key, long value, long version) {
    return switch (dialect.upsert()) {
      case ON_CONFLICT ->
          insert(key, value, version)
              + " ON CONFLICT (k) DO UPDATE SET val = EXCLUDED.val, ver = EXCLUDED.ver";
      case ON_DUPLICATE_KEY ->
          insert(key, value, version)
              + " ON DUPLICATE KEY UPDATE val = VALUES(val), ver = VALUES(ver)";
      case MERGE ->
          "MERGE INTO %s t USING (VALUES (%s, %s, %s))"
                  .formatted(NAME, typed(key), typed(value), typed(version))
              + " AS s (k, val, ver) ON t.k = s.k"
              + " WHEN MATCHED THEN UPDATE SET t.val = s.val, t.ver = s.ver"
              + " WHEN NOT MATCHED THEN INSERT (k, val, ver) VALUES (s.k, s.val, s.ver)";
      case NONE -> throw new IllegalStateException("there is no upsert in this dialect");
    };
  }

  private static String typed(long number) {
    return "CAST(" + number + " AS BIGINT)";
  }

  /** Changes the rows that match. */
  public String update(String newValue, long version, String where) {
    String value = newValue == null ? "" : "val = " + newValue + ", ";
    return "UPDATE " + NAME + " SET " + value + "ver = " + version + where(where);
  }

  public String delete(String where) {
    return "DELETE FROM " + NAME + where(where);
  }

  /** A change that also returns the rows, where {@link Dialect#hasReturning}. */
  public String returning(String change) {
    return change + " RETURNING " + COLUMNS;
  }

  private static String where(String condition) {
    return condition == null ? "" : " WHERE " + condition;
  }
}
