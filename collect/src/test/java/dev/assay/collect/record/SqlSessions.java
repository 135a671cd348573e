package dev.assay.collect.record;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.Connector;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Does what a person does with the SQL of {@code assay shrink --sql}: a connection for each session
 * that it names, and the statements one by one, each into its session. A statement that waits for
 * another session is left alone, and what comes next is tried.
 */
final class SqlSessions implements AutoCloseable {
  private static final Pattern STEP = Pattern.compile("(.*;) +-- session ([^,]*), (\\S+?)(: .*)?");
  private static final long WAIT_MILLIS = 500;
  private static final long END_MILLIS = 10_000;

  /** What became of a statement: what it gave (null for none), or what the database said. */
  record Step(String sql, String promised, Future<String> answer, boolean waited) {
    /** What the statement gave, in the words of the comments. */
    String got() {
      try {
        return answer.get(END_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        return "refused: " + e.getCause().getMessage();
      } catch (TimeoutException e) {
        return "waits for ever";
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final Connector connector;
  private final Map<String, Connection> connections = new LinkedHashMap<>();
  private final Map<String, ExecutorService> threads = new LinkedHashMap<>();

  SqlSessions(Connector connector) {
    this.connector = connector;
  }

  /**
   * Follows a script to its end.
   *
   * @throws SQLException if the database does not understand a statement
   */
  List<Step> follow(String script) throws SQLException, InterruptedException {
    List<Step> steps = new ArrayList<>();
    try (Connection first = connector.connect();
        Statement statement = first.createStatement()) {
      for (String line : script.split("\n")) {
        Matcher step = STEP.matcher(line);
        if (step.matches()) {
          steps.add(begin(step.group(1), step.group(2), step.group(4)));
        } else if (!line.isEmpty() && !line.startsWith("--")) {
          statement.execute(line.replaceAll(";$", ""));
        }
      }
    }
    for (Step step : steps) {
      step.got();
      if (step.answer().isDone()) {
        requireUnderstood(step);
      }
    }
    return steps;
  }

  private void requireUnderstood(Step step) throws SQLException, InterruptedException {
    try {
      step.answer().get();
    } catch (ExecutionException e) {
      SQLException cause = (SQLException) e.getCause();
      if (connector.database().classify(cause) == Failure.WRONG) {
        throw new SQLException(step.sql() + " -> " + cause.getMessage(), cause);
      }
    }
  }

  private Step begin(String sql, String session, String remark)
      throws SQLException, InterruptedException {
    Connection connection = connections.get(session);
    if (connection == null) {
      connection = connector.connect();
      connections.put(session, connection);
      threads.put(session, Executors.newSingleThreadExecutor(SqlSessions::daemon));
    }
    Connection own = connection;
    Future<String> answer = threads.get(session).submit(() -> execute(own, sql));
    String promised =
        remark != null && remark.startsWith(": returned") ? remark.substring(": ".length()) : null;
    boolean waited = false;
    try {
      answer.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      waited = true;
    } catch (ExecutionException e) {
      // Looked at when all is over.
    }
    return new Step(sql, promised, answer, waited);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "sql");
    thread.setDaemon(true);
    return thread;
  }

  private static String execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql.replaceAll(";$", ""))) {
        return null;
      }
      StringJoiner rows = new StringJoiner("; ");
      try (ResultSet result = statement.getResultSet()) {
        while (result.next()) {
          StringJoiner row = new StringJoiner(" ");
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.add(String.valueOf(result.getString(i)));
          }
          rows.add(row.toString());
        }
      }
      return "returned " + rows;
    }
  }

  @Override
  public void close() throws SQLException {
    threads.values().forEach(ExecutorService::shutdownNow);
    for (Connection connection : connections.values()) {
      connection.close();
    }
    try (Connection last = connector.connect();
        Statement statement = last.createStatement()) {
      for (String table : List.of("registers", "lists", "sets", "counters")) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
    }
  }
}
