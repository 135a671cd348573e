package dev.assay.web.sweep;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunResult.LevelVerdict;
import dev.assay.render.plot.Csv;
import dev.assay.render.plot.Plot;
import dev.assay.web.page.LevelMatrix;
import dev.assay.web.page.SweepPage;
import dev.assay.web.plot.Family;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measurements as a table, as CSV and as a page. */
public final class SweepReport {
  private static final double MEGABYTE = 1 << 20;

  private final CheckerSweep.Plan plan;
  private final List<CheckerSweep.Row> rows = new ArrayList<>();

  public SweepReport(CheckerSweep.Plan plan) {
    this.plan = plan;
  }

  public void add(CheckerSweep.Row row) {
    rows.add(row);
  }

  /** Rows of cells for people; the first is the head. */
  public List<List<String>> table() {
    List<List<String>> table = new ArrayList<>();
    List<Parameter<?>> varied = plan.sweep().varied();
    List<String> head = ids(varied);
    head.addAll(
        List.of(
            "level",
            "checker",
            "txns",
            "ops",
            "verdict",
            "median ms",
            "best ms",
            "heap MB",
            "stages ms"));
    table.add(head);
    for (CheckerSweep.Row row : rows) {
      List<String> cells = cells(row, varied);
      cells.add(decimal(row.peakBytes() / MEGABYTE));
      cells.add(row.stages());
      table.add(cells);
    }
    return table;
  }

  /** Everything, all parameters included. */
  public String csv() {
    List<Parameter<?>> parameters = plan.sweep().parameters();
    parameters.removeIf(parameter -> parameter.group() != Group.WORKLOAD);
    List<String> head = ids(parameters);
    head.addAll(
        List.of(
            "level",
            "checker",
            "transactions_total",
            "operations_total",
            "verdict",
            "median_millis",
            "best_millis",
            "peak_heap_bytes",
            "stages_millis"));
    Csv csv = new Csv(head);
    for (CheckerSweep.Row row : rows) {
      List<String> cells = cells(row, parameters);
      cells.add(Long.toString(row.peakBytes()));
      cells.add(row.stages());
      csv.row(cells);
    }
    return csv.text();
  }

  private static List<String> ids(List<Parameter<?>> parameters) {
    List<String> ids = new ArrayList<>();
    parameters.forEach(parameter -> ids.add(parameter.id()));
    return ids;
  }

  /** What the table and the file have in common: some parameters and all but the memory. */
  private static List<String> cells(CheckerSweep.Row row, List<Parameter<?>> parameters) {
    List<String> cells = new ArrayList<>();
    parameters.forEach(parameter -> cells.add(row.config().given(parameter)));
    cells.add(row.level().id());
    cells.add(row.checker());
    cells.add(Integer.toString(row.transactions()));
    cells.add(Integer.toString(row.operations()));
    cells.add(row.verdict());
    cells.add(decimal(row.medianMillis()));
    cells.add(decimal(row.bestMillis()));
    return cells;
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, number >= 100 ? "%.0f" : "%.2f", number);
  }

  public List<Plot> plots() {
    List<Plot> plots = new ArrayList<>();
    add(plots, "check-time", "Check time", "ms", CheckerSweep.Row::medianMillis);
    add(plots, "memory", "Peak heap", "MB", row -> row.peakBytes() / MEGABYTE);
    return plots;
  }

  private void add(
      List<Plot> plots,
      String name,
      String title,
      String unit,
      ToDoubleFunction<CheckerSweep.Row> measure) {
    List<Family.Point> points = new ArrayList<>();
    for (CheckerSweep.Row row : rows) {
      List<String> subject = new ArrayList<>();
      if (plan.levels().size() > 1) {
        subject.add(row.level().id());
      }
      if (plan.checkers().size() > 1 || subject.isEmpty()) {
        subject.add(row.checker());
      }
      String doubt = row.verdict().equals("unknown") ? "not decided: the verdict is unknown" : null;
      points.add(
          new Family.Point(
              row.config(), String.join(", ", subject), measure.applyAsDouble(row), doubt));
    }
    new Family(plan.sweep().varied(), plan.sweep().runs())
        .curves(name, title, unit, points)
        .ifPresent(plots::add);
  }

  /** What each checker decided on each history. */
  private LevelMatrix matrix() {
    Map<RunConfig, Map<String, Map<String, LevelVerdict>>> histories = new LinkedHashMap<>();
    for (CheckerSweep.Row row : rows) {
      histories
          .computeIfAbsent(row.config(), config -> new LinkedHashMap<>())
          .computeIfAbsent(row.checker(), checker -> new LinkedHashMap<>())
          .put(row.level().id(), new LevelVerdict(row.verdict(), null, null));
    }
    LevelMatrix matrix = new LevelMatrix();
    histories.values().forEach(matrix::add);
    return matrix;
  }

  /** A page that needs nothing else. */
  public String html(String title, String command) {
    return SweepPage.html(title, command, plots(), table(), matrix());
  }
}
