package dev.assay.collect.db;

import java.util.List;
import java.util.stream.Stream;

/**
 * How a database spells what a run asks of it.
 *
 * @param upsert how it inserts a row or changes the one that is there
 * @param textType a type for texts of some thousand characters
 * @param locksRows whether {@code SELECT ... FOR UPDATE} exists
 * @param tableSuffix what follows a table's definition
 */
public record Dialect(Upsert upsert, String textType, boolean locksRows, String tableSuffix) {
  /** Ways to insert or update in one statement. */
  public enum Upsert {
    /** PostgreSQL and its relatives, SQLite, DuckDB. */
    ON_CONFLICT,
    /** MySQL and its relatives. */
    ON_DUPLICATE_KEY,
    /** The SQL standard. */
    MERGE,
    /** None: an update, and an insert where it met no row. */
    NONE
  }

  public Dialect(Upsert upsert, String textType, boolean locksRows) {
    this(upsert, textType, locksRows, "");
  }

  public String create(Table table) {
    String columns =
        switch (table) {
          case SET -> "k BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k, v)";
          case ROWS ->
              "k BIGINT NOT NULL PRIMARY KEY, val BIGINT NOT NULL, ver BIGINT NOT NULL"
                  + rowIndexes();
          case LIST -> "k BIGINT NOT NULL PRIMARY KEY, v " + textType;
          default -> "k BIGINT NOT NULL PRIMARY KEY, v BIGINT";
        };
    return "CREATE TABLE " + table.sqlName() + " (" + columns + ")" + tableSuffix;
  }

  /**
   * The indexes to create beside a table. Databases lock ranges of an index or take a lock on what
   * a condition read in it; without one only locks of whole tables would be tested.
   */
  public List<String> indexes(Table table) {
    if (table != Table.ROWS || upsert == Upsert.ON_DUPLICATE_KEY) {
      return List.of();
    }
    String name = table.sqlName();
    return Stream.of("val", "ver")
        .map(column -> "CREATE INDEX %s_%s ON %s (%s)".formatted(name, column, name, column))
        .toList();
  }

  /** InnoDB locks whatever it looks at: without indexes every condition would lock all rows. */
  private String rowIndexes() {
    return upsert == Upsert.ON_DUPLICATE_KEY ? ", INDEX (val), INDEX (ver)" : "";
  }

  /** How it works on rows. */
  public RowSql rows() {
    return new RowSql(this);
  }

  /** Whether changes can return the rows that they left behind, or took away. */
  public boolean hasReturning() {
    return upsert == Upsert.ON_CONFLICT;
  }

  public String drop(Table table) {
    return "DROP TABLE " + table.sqlName();
  }

  /** Reads the values of one key. */
  public String read(Table table, boolean forUpdate) {
    String lock = forUpdate && locksRows ? " FOR UPDATE" : "";
    return "SELECT v FROM " + table.sqlName() + " WHERE k = ?" + lock;
  }

  /** Inserts a key and a value. */
  public String insert(Table table) {
    return "INSERT INTO " + table.sqlName() + " (k, v) VALUES (?, ?)";
  }

  /** Whether {@link #insertIfAbsent} exists. */
  public boolean insertsIfAbsent() {
    return upsert == Upsert.ON_CONFLICT || upsert == Upsert.ON_DUPLICATE_KEY;
  }

  /** Inserts a key and a value unless the key is there. */
  public String insertIfAbsent(Table table) {
    return upsert == Upsert.ON_CONFLICT
        ? insert(table) + " ON CONFLICT (k) DO NOTHING"
        : insert(table).replace("INSERT INTO", "INSERT IGNORE INTO");
  }

  /** Deletes a key. */
  public String delete(Table table) {
    return "DELETE FROM " + table.sqlName() + " WHERE k = ?";
  }

  /** Changes the value of a key that is there: parameters value and key, in this order. */
  public String update(Table table) {
    String value =
        switch (table) {
          case LIST -> concatenated("v", "?");
          case COUNTER -> "v + ?";
          default -> "?";
        };
    return "UPDATE " + table.sqlName() + " SET v = " + value + " WHERE k = ?";
  }

  /** Whether {@link #upsert(Table)} exists. */
  public boolean hasUpsert() {
    return upsert != Upsert.NONE;
  }

  /** Inserts or changes in one statement: parameters key and value, in this order. */
  public String upsert(Table table) {
    String name = table.sqlName();
    return switch (upsert) {
      case ON_CONFLICT ->
          insert(table)
              + " ON CONFLICT (k) DO UPDATE SET v = "
              + combined(table, name + ".v", "EXCLUDED.v");
      case ON_DUPLICATE_KEY ->
          insert(table) + " ON DUPLICATE KEY UPDATE v = " + combined(table, "v", "VALUES(v)");
      case MERGE -> merge(table);
      case NONE -> throw new IllegalStateException("there is no upsert in this dialect");
    };
  }

  private String merge(Table table) {
    String type = table == Table.LIST ? textType : "BIGINT";
    return "MERGE INTO "
        + table.sqlName()
        + " t USING (VALUES (CAST(? AS BIGINT), CAST(? AS "
        + type
        + "))) AS s (k, v) ON t.k = s.k WHEN MATCHED THEN UPDATE SET t.v = "
        + combined(table, "t.v", "s.v")
        + " WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)";
  }

  private String combined(Table table, String old, String given) {
    return switch (table) {
      case LIST -> concatenated(old, given);
      case COUNTER -> old + " + " + given;
      default -> given;
    };
  }

  private String concatenated(String first, String second) {
    return upsert == Upsert.ON_DUPLICATE_KEY
        ? "CONCAT(" + first + ", " + second + ")"
        : first + " || " + second;
  }
}
