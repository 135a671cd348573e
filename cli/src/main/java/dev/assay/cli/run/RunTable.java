package dev.assay.cli.run;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.record.Tally;
import dev.assay.collect.runs.RecordService;
import dev.assay.history.Outcome;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The results of several runs, one a row, as text that is also a Markdown table. */
public final class RunTable {
  private final List<Parameter<?>> varied;
  private final List<List<String>> rows = new ArrayList<>();

  RunTable(List<Parameter<?>> varied) {
    this.varied = varied;
    List<String> head = new ArrayList<>(List.of("database"));
    if (!varied.contains(Parameters.ISOLATION)) {
      head.add("isolation");
    }
    varied.forEach(parameter -> head.add(parameter.id()));
    head.addAll(List.of("committed", "aborted", "verdict", "found", "smallest anomaly"));
    rows.add(head);
  }

  void add(RecordService.Recorded run, CheckResult result) {
    List<String> row = new ArrayList<>(List.of(run.database()));
    if (!varied.contains(Parameters.ISOLATION)) {
      row.add(run.isolation().name());
    }
    varied.forEach(parameter -> row.add(run.config().given(parameter)));
    Tally tally = run.tally();
    row.add(Plain.number(tally.count(Outcome.COMMITTED)));
    row.add(Plain.number(tally.count(Outcome.ABORTED)));
    row.add(verdict(result));
    row.add(RunCommand.found(result));
    row.add(RunCommand.smallest(result));
    rows.add(row);
  }

  private static String verdict(CheckResult result) {
    return result.violated() ? "violated" : result.unknown() ? "unknown" : "holds";
  }

  void print(PrintStream out) {
    print(rows, out);
  }

  /** Prints rows, the first of which is the head, as aligned columns. */
  public static void print(List<List<String>> rows, PrintStream out) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder("|");
      StringBuilder rule = new StringBuilder("|");
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(r).get(i);
        line.append(' ').append(cell).append(" ".repeat(widths[i] - cell.length())).append(" |");
        rule.append("-".repeat(widths[i] + 2)).append('|');
      }
      out.println(line);
      if (r == 0) {
        out.println(rule);
      }
    }
  }
}
