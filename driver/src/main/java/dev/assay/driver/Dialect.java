package dev.assay.driver;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What differs between databases. */
enum Dialect {
  /** Versions are named by {@code xmin} and {@code ctid}; every write returns the rows it left. */
  POSTGRES,

  /** PostgreSQL's protocol; a row's version is the timestamp of its writer's commit. */
  COCKROACH,

  /** A version column; inserts and updates return the rows they left, deletions do not. */
  H2,

  /** The same as all others, with another way to write texts and comments. */
  MYSQL,

  /** A version column; the rows of a write are looked up by their keys. */
  OTHER;

  /** CockroachDB's hidden column, named in the URL as a version column would be. */
  static final String COCKROACH_TIMESTAMP = "crdb_internal_mvcc_timestamp";

  static Dialect of(DatabaseMetaData data, String version) throws SQLException {
    String product = data.getDatabaseProductName();
    if (product.equals("PostgreSQL")) {
      if (version == null) {
        return POSTGRES;
      }
      return version.equals(COCKROACH_TIMESTAMP) ? COCKROACH : POSTGRES;
    }
    if (product.equals("MySQL") || product.equals("MariaDB")) {
      return MYSQL;
    }
    return product.equals("H2") ? H2 : OTHER;
  }

  /** Whether writes return rows as generated keys do. */
  boolean returnsRows() {
    return this != OTHER && this != MYSQL;
  }

  /** Whether deletions do. */
  boolean returnsDeleted() {
    return this == POSTGRES || this == COCKROACH;
  }

  /** Whether a statement that fails ends its transaction, except at a savepoint. */
  boolean failsWhole() {
    return this == POSTGRES || this == COCKROACH;
  }

  /** Whether a savepoint of the same name stays behind a new one, as PostgreSQL has it. */
  boolean shadowsSavepoints() {
    return failsWhole();
  }

  /** The name of a savepoint as it was written in SQL, as one and the same text. */
  String savepoint(String written) {
    boolean quoted = "\"`[".indexOf(written.charAt(0)) >= 0;
    if (this == MYSQL) {
      return (quoted ? written.substring(1, written.length() - 1) : written)
          .toLowerCase(Locale.ROOT);
    }
    return quoted
        ? written.substring(1, written.length() - 1).replace("\"\"", "\"")
        : failsWhole() ? written.toLowerCase(Locale.ROOT) : written.toUpperCase(Locale.ROOT);
  }

  /** Whether definitions of tables commit. */
  boolean definitionsCommit() {
    return !failsWhole();
  }

  /** Whether equal texts are the same texts, unless a collation says otherwise. */
  boolean comparesTexts() {
    return this != OTHER && this != MYSQL;
  }

  /** The names of the columns that name a version of a row. */
  List<String> version(String column) {
    return column == null ? List.of("xmin", "ctid") : List.of(column);
  }

  /** An aggregate of all hidden columns of all rows as one text, or null if there is none. */
  String aggregate(List<String> columns) {
    if (this == OTHER || this == MYSQL) {
      return null;
    }
    StringBuilder parts = new StringBuilder();
    for (String column : columns) {
      parts.append(parts.length() == 0 ? "" : " || " + code(Row.PART) + " || ");
      parts.append("coalesce(cast(").append(column).append(" as ").append(text()).append("), ");
      parts.append(code(Row.NULL)).append(')');
    }
    return (this == H2 ? "listagg(" : "string_agg(") + parts + ", " + code(Row.ROW) + ")";
  }

  private String text() {
    return this == H2 ? "varchar" : "text";
  }

  private String code(char c) {
    return (this == H2 ? "char(" : "chr(") + (int) c + ")";
  }

  boolean isMySql() {
    return this == MYSQL;
  }

  /** Whom the database takes the user for, who may have changed. */
  String user(Connection connection) throws SQLException {
    if (this != POSTGRES) {
      return connection.getMetaData().getUserName();
    }
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("select current_user")) {
      return answer.next() ? answer.getString(1) : null;
    }
  }

  /**
   * Why hidden columns of a table cannot be asked for, or would name rows wrongly; null if nothing
   * is special about it.
   */
  String special(Connection connection, String schema, String name, String within)
      throws SQLException {
    if (this != POSTGRES) {
      return null;
    }
    String sql =
        "select n.nspname, c.relhasrules, c.relrowsecurity, c.relhassubclass,"
            + " has_table_privilege(c.oid, 'SELECT') from pg_catalog.pg_class c"
            + " join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
            + " where c.oid = pg_catalog.to_regclass(?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, schema == null ? name : schema + "." + name);
      try (ResultSet found = statement.executeQuery()) {
        if (!found.next() || !found.getString(1).equals(within)) {
          return "is not a table of the schema " + within;
        }
        return found.getBoolean(2)
            ? "has rules"
            : found.getBoolean(3)
                ? "has policies for its rows"
                : found.getBoolean(4)
                    ? "has tables that inherit from it"
                    : found.getBoolean(5) ? null : "is not for this user to read as a whole";
      }
    }
  }

  /** The names of functions and procedures that may change rows, in small letters. */
  Set<String> routines(Connection connection) throws SQLException {
    String sql =
        this == POSTGRES
            ? "select lower(p.proname) from pg_catalog.pg_proc p join pg_catalog.pg_language l"
                + " on l.oid = p.prolang where p.provolatile = 'v'"
                + " and l.lanname not in ('c', 'internal')"
                + " and p.pronamespace not in (select oid from pg_catalog.pg_namespace"
                + " where nspname in ('pg_catalog', 'information_schema'))"
            : "select lower(routine_name) from information_schema.routines"
                + " where routine_schema <> 'sys'";
    Set<String> names = new HashSet<>();
    if (this != POSTGRES && this != H2 && this != MYSQL) {
      return names;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /** The version of everything that the transaction wrote, where only its end settles that. */
  String versionAtEnd() {
    return this == COCKROACH ? "select cluster_logical_timestamp()" : null;
  }

  /** The id of a transaction that has written; null if the database has none. */
  String transactionId() {
    return this == POSTGRES ? "select txid_current_if_assigned()" : null;
  }

  /** The first id of those transactions that had not ended yet. */
  String firstId() {
    return this == POSTGRES ? "select txid_snapshot_xmin(txid_current_snapshot())" : null;
  }

  /** A name of a column or table as it must be written. */
  static String quoted(Connection connection, String name) throws SQLException {
    String quote = connection.getMetaData().getIdentifierQuoteString().strip();
    return quote.isEmpty() ? name : quote + name.replace(quote, quote + quote) + quote;
  }

  /** Whether an error says that there are too many results or none: the statement was executed. */
  static boolean isDone(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return state.startsWith("01") || state.startsWith("02");
  }

  /** Whether an error means that the transaction has not taken effect, even one of a commit. */
  static boolean rolledBack(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState().toUpperCase(Locale.ROOT);
    // Serialization failures and deadlocks; constraints; a transaction that had failed before.
    return state.startsWith("40") && !state.equals("40003")
        || state.startsWith("23")
        || state.startsWith("25");
  }
}
