package dev.assay.collect.certificate;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.Table;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * CockroachDB, written from its documentation and not run in the tests: a changefeed gives every
 * version with the timestamp of its transaction, and {@code cluster_logical_timestamp()} gives a
 * serializable transaction the timestamp that it reads and commits at. The cluster needs {@code
 * kv.rangefeed.enabled}. The function does not exist below serializable, so neither does the
 * certificate.
 */
final class CockroachSource implements CertificateSource {
  private static final String TIMESTAMP = "SELECT CAST(cluster_logical_timestamp() AS STRING)";
  private static final long FUTURE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connector connector;
  private final JdbcIsolation isolation;
  private final Tracing tracing = new Tracing(new OfTransactions());
  private final Changefeed feed = new Changefeed();
  private CommitLog log = new CommitLog();
  private String begin;

  CockroachSource(Connector connector, JdbcIsolation isolation) {
    this.connector = connector;
    this.isolation = isolation;
  }

  private static final class OfTransactions implements Probe {
    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      return predicates ? TIMESTAMP : null;
    }
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }

  @Override
  public void begin() throws SQLException, CertificateException {
    if (isolation.jdbcLevel() != Connection.TRANSACTION_SERIALIZABLE) {
      throw new CertificateException("CockroachDB reports timestamps only at serializable");
    }
    begin = timestamp();
  }

  private String timestamp() throws SQLException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(TIMESTAMP)) {
      result.next();
      return result.getString(1);
    }
  }

  /** A feed that ends by itself a moment from now is an ordinary query. */
  @Override
  public void read(int rows) throws SQLException, CertificateException {
    long end = new BigDecimal(timestamp()).longValue() + FUTURE_NANOS;
    String query =
        "CREATE CHANGEFEED FOR TABLE %s, TABLE %s WITH updated, cursor = '%s', end_time = '%d'"
            .formatted(Table.ROWS.sqlName(), Table.REGISTER.sqlName(), begin, end);
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        feed.accept(result.getString(1), text(result, 2), text(result, 3));
      }
    }
    log = feed.log(tracing.idsBySnapshot());
  }

  private static String text(ResultSet result, int column) throws SQLException {
    byte[] bytes = result.getBytes(column);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public CommitLog log() {
    return log;
  }

  @Override
  public Snapshots snapshots() {
    return feed.snapshots();
  }

  @Override
  public void close() {
    // Connections do not outlive what they were made for.
  }
}
