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

/** The results of several runs, one a row. */
final class RunTable {
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

  /** Prints the table; as text, what is the same in all rows is said once. */
  void print(boolean markdown, PrintStream out) {
    if (markdown) {
      TextTable.markdown(rows, out);
      return;
    }
    boolean one = rows.stream().skip(1).map(row -> row.get(0)).distinct().count() == 1;
    if (one) {
      out.println(rows.get(1).get(0) + ":");
      out.println();
    }
    TextTable.text(rows.stream().map(row -> one ? row.subList(1, row.size()) : row).toList(), out);
  }
}
