package dev.assay.cli.run;

import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.JdbcIsolation;
import dev.assay.collect.runs.RecordService;
import dev.assay.collect.schedule.Script;
import dev.assay.collect.schedule.ScriptRun;
import dev.assay.render.Plain;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** {@code assay run --schedules}: which of the classic anomalies a database lets happen. */
final class ScheduleRuns {
  private static final long BLOCKED_MILLIS = 500;
  private static final int CONNECTIONS = 8;
  private static final String HAPPENS = "happens";
  private static final String FORBIDDEN = "HAPPENS";
  private static final String PREVENTED = "-";

  private ScheduleRuns() {}

  /** Prints a table of levels and anomalies; violated if a level lets happen what it forbids. */
  static int run(RunConfig asked, Terminal terminal, boolean quiet) throws IOException {
    Target target = RunOptions.target(asked);
    if (!(target.client() instanceof Database database)) {
      throw new UsageException("--schedules requires a database with a JDBC driver");
    }
    String names = asked.has(Parameters.ISOLATION) ? asked.given(Parameters.ISOLATION) : Names.ALL;
    List<JdbcIsolation> isolations =
        RunRules.isolations(database, Names.values(Parameters.ISOLATION.id(), names)).stream()
            .map(name -> (JdbcIsolation) RunRules.isolation(database, name))
            .toList();
    Drivers drivers =
        RecordService.drivers(
            asked,
            what -> {
              if (!quiet) {
                terminal.err().println("assay: " + what);
              }
            });
    try (Connector connector = Connector.open(target, drivers, CONNECTIONS)) {
      try {
        return run(connector, isolations, terminal, quiet);
      } catch (SQLException | ClientException e) {
        String message = connector.redaction().redact(e.getMessage());
        throw new UsageException("cannot use " + target.client().title() + ": " + message);
      }
    }
  }

  private static int run(
      Connector connector, List<JdbcIsolation> isolations, Terminal terminal, boolean quiet)
      throws SQLException, ClientException {
    List<Script> scripts = Script.all();
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(connector.describe()));
    scripts.forEach(script -> head.add(script.id()));
    rows.add(head);
    int code = ExitCode.OK;
    ScriptRun run = new ScriptRun(connector, BLOCKED_MILLIS);
    for (JdbcIsolation isolation : isolations) {
      if (!quiet) {
        terminal
            .err()
            .println(
                "assay: running "
                    + Plain.count(scripts.size(), "schedule")
                    + " on "
                    + head.get(0)
                    + " at "
                    + isolation.name());
      }
      List<String> row = new ArrayList<>(List.of(isolation.name()));
      for (Script script : scripts) {
        boolean happened = run.run(script, isolation).happened();
        boolean forbidden = script.isForbiddenBy(isolation.claimed());
        row.add(!happened ? PREVENTED : forbidden ? FORBIDDEN : HAPPENS);
        code = happened && forbidden ? ExitCode.VIOLATED : code;
      }
      rows.add(row);
    }
    run.drop();
    RunTable.print(rows, terminal.out());
    if (code == ExitCode.VIOLATED && !quiet) {
      terminal.out().println();
      terminal.out().println("HAPPENS: although the level asked for forbids it");
    }
    return code;
  }
}
