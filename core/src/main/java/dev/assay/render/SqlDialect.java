package dev.assay.render;

import java.util.List;
import java.util.Locale;

/** The few things that differ between databases in what {@link SqlRenderer} writes. */
public enum SqlDialect {
  /** PostgreSQL and others that follow the standard. */
  POSTGRESQL {
    @Override
    List<String> begin(String isolation) {
      return List.of(
          isolation == null
              ? "START TRANSACTION;"
              : "START TRANSACTION ISOLATION LEVEL " + isolation + ";");
    }

    @Override
    String concat(String column, String literal) {
      return column + " || " + literal;
    }

    @Override
    String literal(String text) {
      return quoted(text);
    }
  },
  /** MySQL and MariaDB. */
  MYSQL {
    @Override
    List<String> begin(String isolation) {
      return isolation == null
          ? List.of("START TRANSACTION;")
          : List.of("SET TRANSACTION ISOLATION LEVEL " + isolation + ";", "START TRANSACTION;");
    }

    @Override
    String concat(String column, String literal) {
      return "CONCAT(" + column + ", " + literal + ")";
    }

    @Override
    String literal(String text) {
      return quoted(text.replace("\\", "\\\\"));
    }
  };

  /** The statements that begin a transaction, at the server's own level where none is given. */
  abstract List<String> begin(String isolation);

  abstract String concat(String column, String literal);

  abstract String literal(String text);

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
