package dev.assay.render;

import dev.assay.history.History;
import dev.assay.predicate.SqlTerms;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The few things that differ between databases in what {@link SqlRenderer} writes. */
public enum SqlDialect implements SqlTerms {
  /** PostgreSQL and its relatives. */
  POSTGRESQL,
  /** MySQL and MariaDB. */
  MYSQL {
    @Override
    List<String> begin(String isolation) {
      return isolation == null
          ? List.of("START TRANSACTION;")
          : List.of(
              "SET TRANSACTION ISOLATION LEVEL " + standard(isolation) + ";", "START TRANSACTION;");
    }

    @Override
    String concat(String column, String literal) {
      return "CONCAT(" + column + ", " + literal + ")";
    }

    @Override
    public String text(String text) {
      return super.text(text.replace("\\", "\\\\"));
    }

    /** Other collations take some different texts for the same. */
    @Override
    String textType(int length) {
      return super.textType(length) + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
    }

    @Override
    String upsert(String table, List<String> columns, String values) {
      return insert(table, values)
          + " ON DUPLICATE KEY UPDATE "
          + each(columns, "%1$s = VALUES(%1$s)");
    }

    @Override
    public String column(String name) {
      return isPlain(name) ? name : "`" + name.replace("`", "``") + "`";
    }
  },
  H2 {
    @Override
    List<String> begin(String isolation) {
      return isolation == null
          ? List.of("BEGIN;")
          : List.of(
              "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + isolation + ";",
              "BEGIN;");
    }

    @Override
    String upsert(String table, List<String> columns, String values) {
      return "MERGE INTO " + table + " VALUES (" + values + ")";
    }
  },
  HSQLDB {
    /** Assay runs it in this model by default; its own default is locks. */
    @Override
    List<String> prepare(Map<String, String> metadata) {
      return metadata.getOrDefault("server-options", "").contains("hsqldb.tx")
          ? List.of()
          : List.of("SET DATABASE TRANSACTION CONTROL MVCC;");
    }

    /** Otherwise each statement would be committed by itself even so. */
    @Override
    List<String> begin(String isolation) {
      return List.of("SET AUTOCOMMIT FALSE;", super.begin(isolation).get(0));
    }

    @Override
    String upsert(String table, List<String> columns, String values) {
      return "MERGE INTO %s t USING (VALUES (%s)) AS s (k, %s) ON t.k = s.k"
              .formatted(table, values, String.join(", ", columns))
          + " WHEN MATCHED THEN UPDATE SET "
          + each(columns, "t.%1$s = s.%1$s")
          + " WHEN NOT MATCHED THEN INSERT VALUES (s.k, "
          + each(columns, "s.%1$s")
          + ")";
    }

    @Override
    boolean locksReads() {
      return false;
    }
  },
  SQLITE {
    @Override
    List<String> begin(String isolation) {
      return List.of("BEGIN;");
    }

    @Override
    boolean hasLevels() {
      return false;
    }

    @Override
    boolean locksReads() {
      return false;
    }

    @Override
    public String remainder(String dividend, String divisor) {
      return "(" + dividend + " % " + divisor + ")";
    }
  },
  DUCKDB {
    @Override
    List<String> begin(String isolation) {
      return SQLITE.begin(isolation);
    }

    @Override
    boolean hasLevels() {
      return SQLITE.hasLevels();
    }

    @Override
    boolean locksReads() {
      return SQLITE.locksReads();
    }

    @Override
    public String remainder(String dividend, String divisor) {
      return SQLITE.remainder(dividend, divisor);
    }
  };

  private static final int SHORT_TEXT = 255;

  /** The dialect of the database that a history was recorded on; PostgreSQL's for all others. */
  public static SqlDialect of(History history) {
    String database =
        history.metadata().getOrDefault("database", "").strip().toLowerCase(Locale.ROOT);
    if (database.startsWith("hsql")) {
      return HSQLDB;
    }
    if (database.startsWith("mariadb") || database.startsWith("tidb")) {
      return MYSQL;
    }
    for (SqlDialect dialect : values()) {
      if (database.startsWith(dialect.id())) {
        return dialect;
      }
    }
    return POSTGRESQL;
  }

  /** What to do once before the tables are made. */
  List<String> prepare(Map<String, String> metadata) {
    return List.of();
  }

  /** The statements that begin a transaction, at the server's own level where none is given. */
  List<String> begin(String isolation) {
    return List.of(
        isolation == null
            ? "START TRANSACTION;"
            : "START TRANSACTION ISOLATION LEVEL " + standard(isolation) + ";");
  }

  /** Whether there is more than one isolation level to choose from. */
  boolean hasLevels() {
    return true;
  }

  /** Whether {@code SELECT ... FOR UPDATE} locks the rows. */
  boolean locksReads() {
    return true;
  }

  String concat(String column, String literal) {
    return column + " || " + literal;
  }

  /** A type for texts of at most some characters, keys among them. */
  String textType(int length) {
    return "VARCHAR(" + Math.max(SHORT_TEXT, length) + ")";
  }

  /** Inserts a row, or changes the one that has its key {@code k}. */
  String upsert(String table, List<String> columns, String values) {
    return insert(table, values)
        + " ON CONFLICT (k) DO UPDATE SET "
        + each(columns, "%1$s = EXCLUDED.%1$s");
  }

  @Override
  public String column(String name) {
    return isPlain(name) ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Names that no database reserves, and the ones that Assay's own tables have. */
  private static boolean isPlain(String name) {
    return List.of("k", "v", "val", "ver").contains(name);
  }

  private static String insert(String table, String values) {
    return "INSERT INTO " + table + " VALUES (" + values + ")";
  }

  private static String each(List<String> columns, String form) {
    return String.join(", ", columns.stream().map(form::formatted).toList());
  }

  /** What comes closest to a level in the standard's words. */
  private static String standard(String isolation) {
    return isolation.equals("SNAPSHOT") ? "REPEATABLE READ" : isolation;
  }
}
