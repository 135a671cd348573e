package dev.assay.driver;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** What differs between databases. */
enum Dialect {
  /** Versions are named by {@code xmin} and {@code ctid}; every write returns the rows it left. */
  POSTGRES,

  /** PostgreSQL's protocol; a row's version is the timestamp of its writer's commit. */
  COCKROACH,

  /** A version column; inserts and updates return the rows they left, deletions do not. */
  H2,

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
    return product.equals("H2") ? H2 : OTHER;
  }

  /** Whether writes return rows as generated keys do. */
  boolean returnsRows() {
    return this != OTHER;
  }

  /** Whether deletions do. */
  boolean returnsDeleted() {
    return this == POSTGRES || this == COCKROACH;
  }

  /** Whether a statement that fails ends its transaction, except at a savepoint. */
  boolean failsWhole() {
    return this == POSTGRES || this == COCKROACH;
  }

  /** Whether definitions of tables commit. */
  boolean definitionsCommit() {
    return !failsWhole();
  }

  /** Whether equal texts are the same texts, unless a collation says otherwise. */
  boolean comparesTexts() {
    return this != OTHER;
  }

  /** The names of the columns that name a version of a row. */
  List<String> version(String column) {
    return column == null ? List.of("xmin", "ctid") : List.of(column);
  }

  /** An aggregate of all hidden columns of all rows as one text, or null if there is none. */
  String aggregate(List<String> columns) {
    if (this == OTHER) {
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

  /** Whether an error means that the transaction has not taken effect, even one of a commit. */
  static boolean rolledBack(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState().toUpperCase(Locale.ROOT);
    // Serialization failures and deadlocks; constraints; a transaction that had failed before.
    return state.startsWith("40") && !state.equals("40003")
        || state.startsWith("23")
        || state.startsWith("25");
  }
}
