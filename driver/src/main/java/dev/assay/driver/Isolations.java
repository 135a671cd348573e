package dev.assay.driver;

import java.sql.Connection;

/** The levels of JDBC by name. */
final class Isolations {
  private Isolations() {}

  static String name(int level) {
    return switch (level) {
      case Connection.TRANSACTION_NONE -> "none";
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
      case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
      case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
      case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
      default -> "level " + level;
    };
  }
}
