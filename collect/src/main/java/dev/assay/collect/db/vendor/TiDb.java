package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Failures;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.level.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * TiDB, over MySQL's wire protocol, written from its documentation. Its repeatable read is snapshot
 * isolation. Not run in the tests: no server is available there.
 */
final class TiDb extends MySql {
  private static final int WRITE_CONFLICT = 9007;
  private static final int SCHEMA_CHANGED = 8028;
  private static final int RETRY_FAILED = 8002;
  private static final int STALE_WRITE_CONFLICT = 8005;
  private static final int SAFE_TO_RETRY = 8022;

  @Override
  public String id() {
    return "tidb";
  }

  @Override
  public String title() {
    return "TiDB";
  }

  /** A URL alone does not distinguish it from MySQL: {@code assay run tidb URL}. */
  @Override
  public List<String> urlPrefixes() {
    return List.of();
  }

  @Override
  public List<JdbcIsolation> isolations() {
    return List.of(
        JdbcIsolation.READ_COMMITTED,
        JdbcIsolation.jdbc(
            "repeatable-read", Level.SNAPSHOT_ISOLATION, Connection.TRANSACTION_REPEATABLE_READ));
  }

  @Override
  public Failure classify(SQLException e) {
    return Failures.codeIs(
            e, WRITE_CONFLICT, SCHEMA_CHANGED, RETRY_FAILED, STALE_WRITE_CONFLICT, SAFE_TO_RETRY)
        ? Failure.REFUSED
        : super.classify(e);
  }
}
