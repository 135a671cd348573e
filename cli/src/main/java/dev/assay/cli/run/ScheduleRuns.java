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
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code assay run --schedules}: which of the classic anomalies a database lets happen. */
final class ScheduleRuns {
  private static final long BLOCKED_MILLIS = 500;
  private static final int CONNECTIONS = 8;
  private static final String HAPPENS = "happens";
  private static final String FORBIDDEN = "HAPPENS";
  private static final String PREVENTED = "-";

  private ScheduleRuns() {}

  /** Prints a table of levels and anomalies; violated if a level lets happen what it forbids. */
  static int run(RunConfig asked, boolean markdown, Terminal terminal, boolean quiet)
      throws IOException {
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
        return run(connector, isolations, markdown, terminal, quiet);
      } catch (SQLException | ClientException e) {
        String message = connector.redaction().redact(e.getMessage());
        throw new UsageException("cannot use " + target.client().title() + ": " + message);
      }
    }
  }

  private static int run(
      Connector connector,
      List<JdbcIsolation> isolations,
      boolean markdown,
      Terminal terminal,
      boolean quiet)
      throws SQLException, ClientException {
    List<Script> scripts = Script.all();
    String database = connector.describe();
    // A row for each level, the first of which is the head.
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(database));
    scripts.forEach(script -> head.add(script.id()));
    rows.add(head);
    Set<Script> violations = new LinkedHashSet<>();
    ScriptRun run = new ScriptRun(connector, BLOCKED_MILLIS);
    for (JdbcIsolation isolation : isolations) {
      if (!quiet) {
        String count = Plain.count(scripts.size(), "schedule");
        terminal
            .err()
            .println("assay: running " + count + " on " + database + " at " + isolation.name());
      }
      List<String> row = new ArrayList<>(List.of(isolation.name()));
      for (Script script : scripts) {
        boolean happened = run.run(script, isolation).happened();
        boolean forbidden = script.isForbiddenBy(isolation.claimed());
        row.add(!happened ? PREVENTED : forbidden ? FORBIDDEN : HAPPENS);
        if (happened && forbidden) {
          violations.add(script);
        }
      }
      rows.add(row);
    }
    run.drop();
    if (markdown) {
      TextTable.markdown(rows, terminal.out());
    } else {
      print(database, rows, violations, terminal.out());
    }
    return violations.isEmpty() ? ExitCode.OK : ExitCode.VIOLATED;
  }

  /** The verdict, then a row for each anomaly: there are many more of them than levels. */
  private static void print(
      String database, List<List<String>> rows, Set<Script> violations, PrintStream out) {
    int anomalies = rows.get(0).size() - 1;
    out.println(
        violations.isEmpty()
            ? database + " prevented what its levels forbid."
            : database + " did not prevent what its levels forbid (HAPPENS):");
    violations.forEach(script -> out.println("  ✗ " + script.title() + " (" + script.id() + ")"));
    out.println();
    List<List<String>> turned = new ArrayList<>();
    for (int i = 0; i <= anomalies; i++) {
      int column = i;
      turned.add(new ArrayList<>(rows.stream().map(row -> row.get(column)).toList()));
    }
    turned.get(0).set(0, "anomaly");
    TextTable.text(turned, out);
  }
}
