package dev.assay.collect.certificate;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Properties;

/**
 * PostgreSQL: logical decoding gives every version of every row in the order in which transactions
 * committed, and {@code txid_current_snapshot()}, which all versions have, gives what a statement
 * saw. All it needs is {@code wal_level=logical} and a user with the right to replicate.
 */
final class PostgresSource implements CertificateSource {
  private static final String SNAPSHOT = "CAST(txid_current_snapshot() AS text)";
  private static final String MARK = "pg_logical_emit_message(true, '%s', '%s')";

  private final Connector connector;
  private final Tracing tracing;
  private final String slot;
  private final CommitLog log = new CommitLog();
  private Connection replication;
  private long firstId;
  private boolean slotExists;

  PostgresSource(Connector connector, JdbcIsolation isolation) {
    this.connector = connector;
    boolean everyStatement = isolation.jdbcLevel() == Connection.TRANSACTION_READ_COMMITTED;
    this.tracing = new Tracing(everyStatement ? new OfStatements() : new OfTransactions());
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    this.slot = "assay_" + HexFormat.of().formatHex(random);
  }

  /**
   * At read committed each statement has a snapshot. A predicate read runs on it; a predicate
   * update does not quite: rows that others changed meanwhile are judged again as they are now. So
   * there is no version set for updates here.
   */
  private static final class OfStatements implements Probe {
    @Override
    public String snapshotOfStatement() {
      return SNAPSHOT;
    }

    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      // Versions name their writers, but a transaction that only deletes leaves none.
      return deletes ? "SELECT CAST(NULL AS text), " + mark(Long.toString(id)) : null;
    }
  }

  /** At the higher levels all statements of a transaction run on one snapshot, updates too. */
  private static final class OfTransactions implements Probe {
    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      if (!predicates) {
        return null;
      }
      return "SELECT " + SNAPSHOT + (deletes ? ", " + mark(Long.toString(id)) : "");
    }
  }

  private static String mark(String text) {
    return MARK.formatted(TestDecoding.PREFIX, text);
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }

  /**
   * Makes a slot, which keeps the log from here on. On a server that Assay did not start the slot
   * is temporary and ends with its connection, whatever becomes of Assay; on one that it started
   * the slot outlives the crashes that a run may ask for.
   */
  @Override
  public void begin() throws SQLException {
    if (!connector.isOwn()) {
      replication = connectForReplication();
    }
    Connection ordinary = replication == null ? connector.connect() : replication;
    try (Statement statement = ordinary.createStatement()) {
      String create =
          "SELECT pg_create_logical_replication_slot('%s', 'test_decoding', %b)"
              .formatted(slot, !connector.isOwn());
      statement.execute(create);
      slotExists = true;
      try (ResultSet result = statement.executeQuery("SELECT txid_current()")) {
        result.next();
        firstId = result.getLong(1);
      }
    } finally {
      if (replication == null) {
        ordinary.close();
      }
    }
  }

  private Connection connectForReplication() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("replication", "database");
    properties.setProperty("assumeMinServerVersion", "9.4");
    properties.setProperty("preferQueryMode", "simple");
    return connector.connect(properties);
  }

  @Override
  public void read(int rows) throws SQLException, CertificateException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT " + mark(TestDecoding.END));
    }
    if (replication == null) {
      replication = connectForReplication();
    }
    TestDecoding lines = new TestDecoding(log, firstId);
    try (ReplicationStream stream = new ReplicationStream(replication, slot)) {
      while (!lines.hasEnded()) {
        lines.accept(stream.read());
      }
      stream.acknowledge();
    }
  }

  @Override
  public CommitLog log() {
    return log;
  }

  @Override
  public Snapshots snapshots() {
    return new XidSnapshots(log.transactions());
  }

  @Override
  public void close() {
    try {
      if (replication != null) {
        replication.close();
      }
    } catch (SQLException e) {
      // It is of no more use.
    }
    // A temporary slot went with its connection.
    if (slotExists && connector.isOwn()) {
      try (Connection connection = connector.connect();
          Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_drop_replication_slot('" + slot + "')");
      } catch (SQLException e) {
        // The server ends with the run, and the slot with it.
      }
    }
  }
}
