package dev.assay.collect.record;

import dev.assay.collect.db.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

/**
 * Finds out, beside other work, whether the server of a run still answers. Drivers wait long for
 * one that is gone, and a run makes many connections on its way to the end.
 */
final class Reach {
  /** How long a server may be away, such as for a restart, before it counts as gone. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** SQL's class of errors of connections; the one of them that a server itself answers. */
  private static final String NO_CONNECTION = "08";

  private static final String REJECTED = "08004";
  private static final long RETRY_MILLIS = 100;

  private final Connector connector;
  private final Duration patience;
  private final long deadline;
  private final Thread thread = new Thread(this::probe, "reach");
  private volatile String error;
  private volatile boolean answered;

  private Reach(Connector connector, Duration patience) {
    this.connector = connector;
    this.patience = patience;
    this.deadline = System.nanoTime() + patience.toNanos();
    this.error = "it did not answer";
    thread.setDaemon(true);
  }

  /** Begins to look. */
  static Reach begin(Connector connector, Duration patience) {
    Reach reach = new Reach(connector, patience);
    reach.thread.start();
    return reach;
  }

  /** Whether this error means that no server answered. */
  static boolean isUnanswered(Throwable e) {
    String state = e instanceof SQLException sql ? sql.getSQLState() : null;
    boolean connection =
        e instanceof SQLNonTransientConnectionException
            || e instanceof SQLTransientConnectionException
            || (state != null && state.startsWith(NO_CONNECTION));
    return connection && !REJECTED.equals(state);
  }

  private void probe() {
    while (!answered && System.nanoTime() < deadline) {
      try {
        Connection connection = connector.connect();
        answered = true;
        connection.close();
      } catch (SQLException | RuntimeException e) {
        answered = answered || !isUnanswered(e);
        error = connector.redaction().redact(String.valueOf(e.getMessage()));
      }
      if (!answered) {
        LiveRun.sleep(RETRY_MILLIS);
      }
    }
  }

  /** Whether it is known by now that the server does not answer. */
  boolean isGone() {
    return !answered && System.nanoTime() >= deadline;
  }

  /** Waits until it is known; why the server counts as gone, or null if it answers. */
  String gone() {
    while (!answered && System.nanoTime() < deadline) {
      LiveRun.join(thread, RETRY_MILLIS);
    }
    return answered ? null : "the server is gone (for " + patience.toMillis() + " ms): " + error;
  }
}
