package dev.assay.driver;

import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Executes statements of an application that are about transactions and definitions, not rows. */
final class SqlControl {
  private static final Pattern CHAIN =
      Pattern.compile("\\bAND\\s+CHAIN\\b", Pattern.CASE_INSENSITIVE);

  private final Recorded connection;
  private final String sql;
  private final RecordedStatement.Call call;

  SqlControl(Recorded connection, String sql, RecordedStatement.Call call) {
    this.connection = connection;
    this.sql = sql;
    this.call = call;
  }

  /** Whether a statement is one of these. */
  static boolean isFor(Plan plan) {
    return plan instanceof Plan.Control
        || plan instanceof Plan.Definition
        || plan instanceof Plan.Harmless;
  }

  Object execute(Plan plan) throws Throwable {
    connection.touch();
    try {
      if (plan instanceof Plan.Control control) {
        return control(control);
      }
      if (plan instanceof Plan.Definition) {
        if (connection.dialect.definitionsCommit()) {
          connection.mayEnd();
        }
        Object answer = call.run();
        connection.defined(sql);
        return answer;
      }
      Object answer = call.run();
      said();
      return answer;
    } catch (SQLException e) {
      connection.doubt();
      throw e;
    }
  }

  private Object control(Plan.Control control) throws Throwable {
    Object[] result = new Object[1];
    boolean inText = connection.isBegun();
    long before = System.nanoTime();
    String written = control.savepoint();
    Object savepoint = written == null ? null : connection.dialect.savepoint(written);
    switch (control.word()) {
      case TWO_PHASE -> throw AssayDataSource.noXa();
      case COMMIT -> connection.commit(() -> result[0] = call.run());
      case ROLLBACK -> {
        result[0] = call.run();
        connection.rolledBack(null);
      }
      case BEGIN -> {
        result[0] = call.run();
        connection.begun(true, before);
        said();
      }
      case SAVEPOINT -> {
        Transaction transaction = connection.begin();
        result[0] = call.run();
        transaction.savepoint(savepoint, connection.dialect.shadowsSavepoints());
      }
      case ROLLBACK_TO -> {
        result[0] = call.run();
        connection.rolledBack(savepoint);
      }
      case RELEASE -> {
        result[0] = call.run();
        connection.released(savepoint);
      }
    }
    if (CHAIN.matcher(sql).find()) {
      connection.begun(inText, before);
    }
    return result[0];
  }

  /** What a statement says that is not about rows. */
  private void said() throws SQLException {
    connection.said(sql);
    SqlText text = new SqlText(sql, connection.dialect.isMySql());
    for (int i = 0; i + 2 < text.size(); i++) {
      if (text.word(i).equals("ISOLATION") && text.word(i + 1).equals("LEVEL")) {
        boolean one =
            text.word(i + 2).equals("SERIALIZABLE") || text.word(i + 2).equals("SNAPSHOT");
        String level = text.word(i + 2) + (one ? "" : " " + text.word(i + 3));
        connection.recording.isolation(level.toLowerCase(Locale.ROOT));
      }
    }
    if (text.mentions("AUTOCOMMIT")) {
      connection.switched();
    }
  }
}
