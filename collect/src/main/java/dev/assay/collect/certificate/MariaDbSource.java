package dev.assay.collect.certificate;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import java.io.IOException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MariaDB: the binary log, in rows, has every version in the order of commits, each transaction
 * with its GTID. It must be on, in the format ROW with full row images, and the user needs the
 * right to replicate.
 *
 * <p>At repeatable read a transaction that starts with a consistent snapshot knows the place in the
 * binary log of the snapshot, and its reads without locks look at just that. Updates look at the
 * rows as they are, at the other levels reads do so too, or each has a snapshot of its own that
 * nothing reports: there are no version sets for those.
 *
 * <p>At serializable InnoDB locks what is read and what is written, ranges included, and lets go of
 * nothing before the commit, which comes after the transaction is in the binary log. So whoever had
 * to wait for a lock is later in the log: it is a serial order. A transaction that only reads is
 * not in it, but after its last read it asks how long the log is. What is in the log by then and
 * wrote what it read, it has seen; what comes later had to wait for its locks.
 */
final class MariaDbSource implements CertificateSource {
  private static final Pattern URL = Pattern.compile("jdbc:mariadb://([^:/,?]+)(?::(\\d+))?.*");
  private static final int STANDARD_PORT = 3306;

  /** The client logs every connection; failures are exceptions anyway. */
  private static final Logger CLIENT_LOG = Logger.getLogger("com.github.shyiko.mysql.binlog");

  private final Connector connector;
  private final Tracing tracing;
  private final CommitLog log = new CommitLog();
  private final boolean serial;
  private Place first;

  /** A place in the binary log. */
  record Place(String file, long position) {
    private static final int POSITION_BITS = 40;

    /** Rises with the log: files are numbered after their last dot. */
    long number() {
      long number = Long.parseLong(file.substring(file.lastIndexOf('.') + 1));
      return number << POSITION_BITS | position;
    }
  }

  MariaDbSource(Connector connector, JdbcIsolation isolation) {
    this.connector = connector;
    boolean snapshots =
        connector.isOwn() && isolation.jdbcLevel() == Connection.TRANSACTION_REPEATABLE_READ;
    this.serial = connector.isOwn() && isolation.jdbcLevel() == Connection.TRANSACTION_SERIALIZABLE;
    this.tracing = new Tracing(snapshots ? new OfReads() : serial ? new OfLog() : new Probe() {});
  }

  /** Only on a server that Assay starts: there one domain numbers all transactions. */
  private static final class OfLog implements Probe {
    @Override
    public Coverage coverage() {
      return Coverage.NOTHING;
    }

    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      return "SELECT @@gtid_binlog_pos";
    }
  }

  private static final class OfReads implements Probe {
    @Override
    public String atBegin() {
      return "START TRANSACTION WITH CONSISTENT SNAPSHOT";
    }

    @Override
    public Coverage coverage() {
      return Coverage.READS;
    }

    /**
     * The server keeps the answer in one place for all: of two that ask at once one may get the
     * other's. That is also why this is done only on a server that Assay starts, which has no other
     * clients.
     */
    @Override
    public boolean asksOneByOne() {
      return true;
    }

    @Override
    public String atEnd(long id, boolean predicates, boolean deletes) {
      return predicates
          ? "SELECT GROUP_CONCAT(VARIABLE_VALUE ORDER BY VARIABLE_NAME SEPARATOR ':')"
              + " FROM information_schema.SESSION_STATUS"
              + " WHERE VARIABLE_NAME IN ('BINLOG_SNAPSHOT_FILE', 'BINLOG_SNAPSHOT_POSITION')"
          : null;
    }
  }

  @Override
  public Tracing tracing() {
    return tracing;
  }

  @Override
  public void begin() throws SQLException, CertificateException {
    first = place();
  }

  /** Where the log ends now. */
  private Place place() throws SQLException, CertificateException {
    try (Connection connection = connector.connect();
        Statement statement = connection.createStatement()) {
      try (ResultSet format =
          statement.executeQuery("SELECT @@log_bin, @@binlog_format, @@binlog_row_image")) {
        format.next();
        boolean usable =
            format.getInt(1) == 1
                && format.getString(2).equals("ROW")
                && !format.getString(3).equals("MINIMAL");
        if (!usable) {
          throw new CertificateException(
              "MariaDB must write its binary log with binlog_format=ROW and"
                  + " binlog_row_image=FULL");
        }
      }
      try (ResultSet status = statement.executeQuery("SHOW MASTER STATUS")) {
        status.next();
        return new Place(status.getString(1), status.getLong(2));
      }
    }
  }

  @Override
  public void read(int rows) throws SQLException, IOException {
    Matcher url = URL.matcher(connector.url());
    if (!url.matches()) {
      throw new CertificateException("the URL does not name a host to read the binary log from");
    }
    CLIENT_LOG.setLevel(Level.OFF);
    BinaryLogClient client =
        new BinaryLogClient(
            url.group(1),
            url.group(2) == null ? STANDARD_PORT : Integer.parseInt(url.group(2)),
            connector.user(),
            connector.password());
    client.setSSLMode(connector.isOwn() ? SSLMode.DISABLED : SSLMode.PREFERRED);
    client.setServerId(1 + new SecureRandom().nextInt(Integer.MAX_VALUE - 1));
    client.setBinlogFilename(first.file());
    client.setBinlogPosition(first.position());
    // It ends where the log ends, and need not stay.
    client.setBlocking(false);
    client.setKeepAlive(false);
    Place end = place();
    BinlogEvents events = new BinlogEvents(log, first.file(), serial);
    client.registerEventListener(events);
    client.registerLifecycleListener(events);
    client.connect();
    if (events.failure() != null) {
      throw new CertificateException(
          "the binary log cannot be read: " + events.failure().getMessage(), events.failure());
    }
    if (events.reached().number() < end.number()) {
      throw new CertificateException("the binary log ended early");
    }
  }

  @Override
  public CommitLog log() {
    return log;
  }

  /** A snapshot is the log up to a place: {@code assay-bin.000001:4711}. */
  @Override
  public Snapshots snapshots() {
    OrderedSnapshots places = new OrderedSnapshots(log.transactions());
    if (serial) {
      return new AfterGtid(places);
    }
    return (text, own) -> {
      int colon = text.lastIndexOf(':');
      try {
        String file = text.substring(0, Math.max(0, colon));
        long position = Long.parseLong(text.substring(colon + 1));
        return places.upTo(new Place(file, position).number());
      } catch (NumberFormatException e) {
        throw new CertificateException("'" + text + "' is not a place in the binary log", e);
      }
    };
  }

  /** The log up to a GTID, such as {@code 0-1-57}; an empty text is no transaction. */
  private record AfterGtid(OrderedSnapshots places) implements Snapshots {
    private static final Pattern GTID = Pattern.compile("\\d+-\\d+-(\\d+)");

    @Override
    public Visible read(String text, int own) throws CertificateException {
      Matcher gtid = GTID.matcher(text);
      if (!text.isEmpty() && !gtid.matches()) {
        throw new CertificateException("'" + text + "' is not one GTID");
      }
      return places.upTo(text.isEmpty() ? -1 : Long.parseLong(gtid.group(1)));
    }

    @Override
    public boolean areOfSerialOrder() {
      return true;
    }
  }

  @Override
  public void close() {
    // Connections do not outlive what they were made for.
  }
}
