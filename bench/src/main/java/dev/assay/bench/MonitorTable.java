package dev.assay.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables on judging a history while it is recorded. */
final class MonitorTable {
  private static final int THOUSAND = 1_000;

  /** About what a transaction takes where a whole history is checked. */
  private static final int TRANSACTION_BYTES = 256;

  private static final int TIMES_THE_HEAP = 4;

  /** Runs from which the delays of announcements are taken. */
  private static final int RUNS = 10;

  private static final Pattern MOMENT =
      Pattern.compile("\"seconds\":([\\d.]+),\"foundSeconds\":([\\d.]+)");

  private final Histories histories;
  private final String assay;
  private final long transactions;

  /**
   * Prepares.
   *
   * @param assay the script
   * @param transactions the size of the histories, or 0 for the sizes of docs/performance.md
   */
  MonitorTable(Histories histories, String assay, long transactions) {
    this.histories = histories;
    this.assay = assay;
    this.transactions = transactions;
  }

  private long size(long usual) {
    return transactions > 0 ? transactions : usual;
  }

  /** Prints one of the tables, or all. */
  void print(String which) throws Exception {
    Map<String, Table> tables = new LinkedHashMap<>();
    tables.put("rate", this::rate);
    tables.put("million", this::million);
    tables.put("memory", this::memory);
    tables.put("delay", this::delay);
    tables.put("cost", () -> Recording.judging("h2").compare());
    tables.put("heap", this::heap);
    if (!which.isEmpty() && !tables.containsKey(which)) {
      throw new IllegalArgumentException("no table " + which + ", but " + tables.keySet());
    }
    for (Map.Entry<String, Table> table : tables.entrySet()) {
      if (which.isEmpty() || which.equals(table.getKey())) {
        table.getValue().print();
        System.out.println();
      }
    }
  }

  private interface Table {
    void print() throws Exception;
  }

  /** Sustained rate and lag, fed as fast as the monitor takes it. */
  private void rate() throws Exception {
    Main.header(
        "history",
        "levels",
        "transactions",
        "wall s",
        "a second",
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
            row.text("wall"),
            grouped(Math.round(size / row.number("wall"))),
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
    Main.header(
        "history",
        "levels",
        "transactions",
        "heap MB at each tenth",
        "wall s",
        "CPU s",
        "RSS MB",
        "verdicts");
    for (String workload : List.of("lists", "registers", "single")) {
      long size = size(workload.equals("single") ? 100_000_000 : 10_000_000);
      String levels = "all";
      Row row = run(List.of("-Xmx512m", "-XX:+UseSerialGC"), workload, size, levels, 0);
      Main.row(
          workload,
          levels,
          grouped(size),
          row.text("heap"),
          row.text("wall"),
          row.text("cpu"),
          row.peak(),
          row.text("verdicts"));
    }
  }

  /** From the commit that completes an anomaly to its announcement, while a database runs. */
  private void delay() throws Exception {
    Main.header("database", "isolation", "runs", "announced", "delay ms, median", "worst");
    for (String isolation : List.of("read-committed", "serializable")) {
      List<Long> delays = new ArrayList<>();
      Path file = histories.folder().resolve("monitored.assay");
      for (int seed = 0; seed < RUNS; seed++) {
        Run run =
            Run.of(
                List.of(
                    assay,
                    "run",
                    "h2",
                    "--isolation=" + isolation,
                    "--expect=serializable",
                    "--duration=4s",
                    "--out=" + file,
                    "--force",
                    "--seed=" + seed,
                    "--output=json"));
        Matcher moment = MOMENT.matcher(run.output());
        while (moment.find()) {
          double seconds =
              Double.parseDouble(moment.group(2)) - Double.parseDouble(moment.group(1));
          delays.add(Math.round(seconds * THOUSAND));
        }
      }
      Files.deleteIfExists(file);
      Collections.sort(delays);
      Main.row(
          "h2",
          isolation,
          Integer.toString(RUNS),
          Integer.toString(delays.size()),
          delays.isEmpty() ? "–" : Long.toString(delays.get(delays.size() / 2)),
          delays.isEmpty() ? "–" : Long.toString(delays.get(delays.size() - 1)));
    }
  }

  /** A history that takes four times the heap, checked in it; and with enough memory. */
  private void heap() throws Exception {
    Main.header("history", "MB", "heap", "transactions", "wall s", "CPU s", "RSS MB", "exit");
    for (String workload : List.of("lists", "registers")) {
      long size = size(2_000_000);
      String small = (size * TRANSACTION_BYTES / TIMES_THE_HEAP >> 20) + "m";
      String name = "monitor-" + workload + "-" + size + ".assay";
      Path file = histories.file(name, Monitoring.spec(workload, size, 1), List.of(), 0);
      for (String heap : List.of(small, "6g")) {
        Run run =
            Run.of(
                List.of(
                    "env",
                    "ASSAY_JAVA_OPTS=-Xmx" + heap,
                    assay,
                    "check",
                    "--quiet",
                    "--level=serializable",
                    file.toString()));
        Main.row(
            workload,
            Main.megabytes(file),
            heap,
            grouped(size),
            "%.1f".formatted(run.wallSeconds()),
            "%.1f".formatted(run.cpuSeconds()),
            "%.0f".formatted(run.peakMegabytes()),
            Integer.toString(run.exit()));
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

  private static Row run(List<String> options, String workload, long size, String levels, int delay)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Monitoring.class.getName());
    command.addAll(List.of(workload, Long.toString(size), levels, Integer.toString(delay)));
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
