package dev.assay.bench;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables on judging a history while it is recorded. */
final class MonitorTable {
  private static final int THOUSAND = 1_000;

  private final long transactions;

  /**
   * Prepares.
   *
   * @param transactions the size of the histories, or 0 for the sizes of docs/performance.md
   */
  MonitorTable(long transactions) {
    this.transactions = transactions;
  }

  private long size(long usual) {
    return transactions > 0 ? transactions : usual;
  }

  /** Prints one of the tables, or all. */
  void print(String which) throws Exception {
    boolean all = which.isEmpty();
    if (all || which.equals("rate")) {
      rate();
    }
    if (all || which.equals("million")) {
      million();
    }
    if (all || which.equals("memory")) {
      memory();
    }
    if (all || which.equals("heap")) {
      heap();
    }
  }

  /** Sustained rate and lag, fed as fast as the monitor takes it. */
  private void rate() throws Exception {
    Main.header(
        "history",
        "levels",
        "transactions",
        "fed s",
        "finish s",
        "CPU s",
        "CPU s without",
        "per CPU second",
        "lag ms, median and worst",
        "most waiting",
        "RSS MB",
        "verdicts");
    for (String workload : List.of("lists", "registers")) {
      long size = size(1_000_000);
      Row bare = run(List.of(), workload, size, "nothing", 0);
      for (String levels : List.of("serializable", "snapshot-isolation", "weak", "all")) {
        Row row = run(List.of(), workload, size, levels, 0);
        double judging = row.number("cpu") - bare.number("cpu");
        Main.row(
            workload,
            levels,
            grouped(size),
            row.text("fed"),
            row.text("finish"),
            row.text("cpu"),
            bare.text("cpu"),
            grouped(Math.round(size / judging)),
            row.text("lagMedian") + ", " + row.text("lagWorst"),
            row.text("waiting"),
            row.peak(),
            row.text("verdicts"));
      }
    }
  }

  /** The registers of unknown version order that others publish up to 100,000 transactions of. */
  private void million() throws Exception {
    Main.header("a million registers, zipf", "level", "wall s", "CPU s", "RSS MB", "verdicts");
    long size = size(1_000_000);
    for (int delay : new int[] {0, THOUSAND}) {
      for (String level : List.of("serializable", "snapshot-isolation")) {
        Row row = run(List.of(), "zipf", size, level, delay);
        Main.row(
            delay == 0 ? "recorded order" : "shuffled within a second",
            level,
            row.text("wall"),
            row.text("cpu"),
            row.peak(),
            row.text("verdicts"));
      }
    }
  }

  /** The heap in use at ten points of a long run. */
  private void memory() throws Exception {
    Main.header("history", "levels", "transactions", "heap MB at each tenth", "CPU s", "RSS MB");
    long size = size(10_000_000);
    for (String workload : List.of("lists", "registers")) {
      for (String levels : List.of("nothing", "all")) {
        Row row = run(List.of("-Xmx1g"), workload, size, levels, 0);
        Main.row(workload, levels, grouped(size), row.text("heap"), row.text("cpu"), row.peak());
      }
    }
  }

  /** Four times larger than the heap; and with all the memory, for the verdict. */
  private void heap() throws Exception {
    Main.header("history", "heap", "transactions", "wall s", "CPU s", "RSS MB", "verdicts");
    long size = size(20_000_000);
    for (String workload : List.of("lists", "registers")) {
      for (String planted : List.of("", "G2-item")) {
        for (String heap : List.of("512m", "3g")) {
          Row row = run(List.of("-Xmx" + heap), workload, size, "all", 0, planted);
          Main.row(
              workload + (planted.isEmpty() ? "" : " with one " + planted),
              heap,
              grouped(size),
              row.text("wall"),
              row.text("cpu"),
              row.peak(),
              row.text("verdicts"));
        }
      }
    }
  }

  /** What a process printed, and its peak. */
  private record Row(Map<String, String> values, Run run) {
    String text(String name) {
      return values.getOrDefault(name, run.exit() == 0 ? "–" : "failed");
    }

    double number(String name) {
      return Double.parseDouble(values.getOrDefault(name, "NaN"));
    }

    String peak() {
      return "%.0f".formatted(run.peakMegabytes());
    }
  }

  private static Row run(
      List<String> options, String workload, long size, String levels, int delay, String... planted)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Monitoring.class.getName());
    command.addAll(List.of(workload, Long.toString(size), levels, Integer.toString(delay)));
    List.of(planted).stream().filter(each -> !each.isEmpty()).forEach(command::add);
    Run run = Run.of(command);
    Map<String, String> values = new TreeMap<>();
    for (String line : run.output().lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    if (run.exit() != 0) {
      System.err.println(run.output());
    }
    return new Row(values, run);
  }

  private static String grouped(long number) {
    return "%,d".formatted(number);
  }
}
