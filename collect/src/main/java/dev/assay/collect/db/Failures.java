package dev.assay.collect.db;

import dev.assay.collect.client.Failure;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;

/** What errors mean by the SQL standard, for adapters to build on. */
public final class Failures {
  private static final String COMPLETION_UNKNOWN = "40003";

  /** SQL's class of errors of connections; the one of them that a server itself answers. */
  private static final String NO_CONNECTION = "08";

  private static final String REJECTED = "08004";

  private Failures() {}

  /**
   * Class 40 (rollback) and 23 (constraint) refuse; 42 (syntax, missing table) and 0A (not
   * supported) are wrong; everything else leaves the fate open.
   */
  public static Failure byState(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (state.equals(COMPLETION_UNKNOWN)) {
      return Failure.LOST;
    }
    if (state.startsWith("40")
        || state.startsWith("23")
        || e instanceof SQLTransactionRollbackException
        || e instanceof SQLIntegrityConstraintViolationException) {
      return Failure.REFUSED;
    }
    if (state.startsWith("42")
        || state.startsWith("0A")
        || e instanceof SQLSyntaxErrorException
        || e instanceof SQLFeatureNotSupportedException) {
      return Failure.WRONG;
    }
    return Failure.LOST;
  }

  /** Whether this error means that no server answered. */
  static boolean isUnanswered(SQLException e) {
    String state = e.getSQLState();
    boolean connection =
        e instanceof SQLNonTransientConnectionException
            || e instanceof SQLTransientConnectionException
            || (state != null && state.startsWith(NO_CONNECTION));
    return connection && !REJECTED.equals(state);
  }

  public static boolean stateIs(SQLException e, String... states) {
    for (String state : states) {
      if (state.equals(e.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  public static boolean codeIs(SQLException e, int... codes) {
    for (int code : codes) {
      if (code == e.getErrorCode()) {
        return true;
      }
    }
    return false;
  }
}
