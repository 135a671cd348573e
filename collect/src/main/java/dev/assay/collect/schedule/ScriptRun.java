package dev.assay.collect.schedule;

import dev.assay.collect.client.RunData;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.db.RunTables;
import dev.assay.collect.db.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs schedules on a database. Each step is begun when the one before it is over or has been
 * waiting for so long that it must be blocked; a blocked session's next step waits for it.
 */
public final class ScriptRun {
  private static final long GIVE_UP_MILLIS = 15_000;

  private final Connector connector;
  private final RunTables tables;
  private final long blockedMillis;

  /**
   * @param blockedMillis how long a step may take before it counts as blocked
   */
  public ScriptRun(Connector connector, long blockedMillis) {
    this.connector = connector;
    this.tables = new RunTables(connector);
    this.blockedMillis = blockedMillis;
  }

  /**
   * How a schedule went.
   *
   * @param happened whether the anomaly showed
   * @param refused the sessions whose transactions the database refused, and what it said
   * @param seen what was read, and what became of each session
   */
  public record Result(boolean happened, Map<String, String> refused, Map<String, String> seen) {}

  /** Runs a schedule at a level, on fresh tables. */
  public Result run(Script script, JdbcIsolation isolation) throws SQLException {
    prepare(script);
    Map<String, ScriptedSession> sessions = new LinkedHashMap<>();
    Map<String, String> seen = new TreeMap<>();
    try {
      for (String name : script.sessions()) {
        sessions.put(name, new ScriptedSession(connector, sessions.size(), isolation));
      }
      for (Step step : script.steps()) {
        perform(step, sessions, seen);
      }
      Result result = finish(script, sessions, seen);
      for (ScriptedSession session : sessions.values()) {
        session.failIfAtAnotherLevel();
      }
      if (!tables.areOurs()) {
        throw new SQLException(RunData.NOT_OURS);
      }
      return result;
    } finally {
      sessions.values().forEach(ScriptedSession::close);
    }
  }

  private void perform(Step step, Map<String, ScriptedSession> sessions, Map<String, String> seen) {
    ScriptedSession session = sessions.get(step.session());
    if (!session.await(GIVE_UP_MILLIS, seen::put)) {
      session.giveUp();
    }
    if (session.state() != ScriptedSession.State.OPEN && step.action() != Step.Action.AGAIN) {
      return;
    }
    session.begin(step);
    session.await(blockedMillis, seen::put);
    if (step.action().endsTransaction()) {
      // Sessions that waited for this one can go on now, and do so before the next step.
      sessions.values().forEach(other -> other.await(blockedMillis, seen::put));
    }
  }

  private static Result finish(
      Script script, Map<String, ScriptedSession> sessions, Map<String, String> seen) {
    Map<String, String> refused = new TreeMap<>();
    sessions.forEach(
        (name, session) -> {
          if (!session.await(GIVE_UP_MILLIS, seen::put)) {
            session.giveUp();
          }
          seen.put(name, session.state().name().toLowerCase(java.util.Locale.ROOT));
          if (session.state() == ScriptedSession.State.REFUSED) {
            refused.put(name, String.valueOf(session.error()));
          }
        });
    return new Result(script.isShownBy(seen), refused, seen);
  }

  private void prepare(Script script) throws SQLException {
    tables.create();
    String insert = connector.database().dialect().insert(Table.REGISTER);
    try (Connection connection = connector.connect();
        PreparedStatement row = connection.prepareStatement(insert)) {
      for (Map.Entry<Long, Long> entry : script.rows().entrySet()) {
        row.setLong(1, entry.getKey());
        row.setLong(2, entry.getValue());
        row.executeUpdate();
      }
    }
  }

  /** Removes the tables. */
  public void drop() {
    tables.dropIfOurs();
  }
}
