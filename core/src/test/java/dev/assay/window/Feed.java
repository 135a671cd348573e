package dev.assay.window;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A history and the way it reaches a monitor.
 *
 * @param like what it declares beside its transactions
 * @param lines its transactions in order of arrival
 * @param ends the number of transactions that have arrived after each block
 * @param window after how many transactions the monitor looks for a cut
 * @param extra how much later than needed transactions may be, in nanoseconds
 * @param threads the number of threads that accept the transactions of a block
 */
record Feed(
    History like, List<Line> lines, List<Integer> ends, int window, long extra, int threads) {
  static final List<Level> LEVELS = Level.surveyed();

  /** What two ways of judging a history say differently. */
  record Difference(String what, boolean open) {}

  Feed {
    lines = List.copyOf(lines);
    ends = List.copyOf(ends);
  }

  History whole() {
    return Line.history(lines, like);
  }

  Report judgedAsAWhole() {
    return Assay.check(whole(), LEVELS, Budget.unlimited());
  }

  /** How much later than others a transaction arrives, by end times. */
  long lateness() {
    long late = 0;
    long latest = History.ABSENT;
    int from = 0;
    for (int end : ends) {
      for (Line line : lines.subList(from, end)) {
        latest = threads > 1 ? Math.max(latest, line.end()) : latest;
      }
      for (Line line : lines.subList(from, end)) {
        latest = Math.max(latest, line.end());
        late = line.end() == History.ABSENT ? late : Math.max(late, latest - line.end());
      }
      from = end;
    }
    return late;
  }

  /** What differs between the verdict on the whole and that of a monitor. */
  List<Difference> differences(Report whole) {
    Set<Level> announced = Collections.synchronizedSet(EnumSet.noneOf(Level.class));
    List<String> wrong = new ArrayList<>();
    Report report;
    MonitorOptions options =
        MonitorOptions.of(LEVELS)
            .lateness(Duration.ofNanos(lateness() + extra))
            .listener(
                violation -> {
                  for (Level level : violation.levels()) {
                    if (!announced.add(level)) {
                      wrong.add(level + " is announced twice");
                    }
                  }
                });
    try (Monitor monitor = Monitors.open(options, window)) {
      int from = 0;
      for (int end : ends) {
        accept(monitor, lines.subList(from, end));
        from = end;
        compare(whole, monitor.soFar(), wrong);
      }
      report = monitor.finish();
      compare(whole, monitor.soFar(), wrong);
    } catch (RuntimeException e) {
      return List.of(new Difference("throws " + e + " at " + e.getStackTrace()[0], false));
    }
    List<Difference> differences = new ArrayList<>();
    compare(whole, report, announced, differences);
    new TreeSet<>(wrong).forEach(what -> differences.add(new Difference(what, false)));
    return differences;
  }

  private void accept(Monitor monitor, List<Line> block) {
    if (threads == 1) {
      monitor.accept(Line.history(block, like));
      return;
    }
    Map<Integer, List<Line>> byThread = new HashMap<>();
    for (Line line : block) {
      int thread = Math.floorMod(String.valueOf(line.session()).hashCode(), threads);
      byThread.computeIfAbsent(thread, t -> new ArrayList<>()).add(line);
    }
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (List<Line> own : byThread.values()) {
        tasks.add(
            () -> {
              for (Line line : own) {
                monitor.accept(Line.history(List.of(line), like));
              }
              return null;
            });
      }
      for (Future<Void> done : executor.invokeAll(tasks)) {
        done.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      executor.shutdown();
    }
  }

  private static void compare(Report whole, Standing soFar, List<String> wrong) {
    for (Level level : LEVELS) {
      if (soFar.violated(level) && whole.verdict(level) instanceof Verdict.Holds) {
        wrong.add(level + " holds, violated so far");
      }
    }
    if (soFar.late() > 0) {
      wrong.add("transactions are said to be late that are not");
    }
  }

  private static void compare(
      Report whole, Report windows, Set<Level> announced, List<Difference> differences) {
    boolean open = false;
    for (Level level : LEVELS) {
      Verdict expected = whole.verdict(level);
      Verdict actual = windows.verdict(level);
      boolean decided = !(expected instanceof Verdict.Unknown);
      if (actual instanceof Verdict.Unknown unknown && decided) {
        open = true;
        differences.add(
            new Difference(
                level + " " + expected.id() + ", in windows unknown: " + unknown.why(), true));
      } else if (!actual.id().equals(expected.id()) && (decided || lacksTimes(expected))) {
        differences.add(
            new Difference(level + " " + expected.id() + ", in windows " + actual.id(), false));
      }
      if (windows.violated(level) != announced.contains(level)) {
        differences.add(
            new Difference(
                level + " " + actual.id() + ", announced: " + announced.contains(level), false));
      }
    }
    Set<AnomalyType> expected = types(whole);
    Set<AnomalyType> actual = types(windows);
    boolean decided =
        whole.verdicts().values().stream().noneMatch(Verdict.Unknown.class::isInstance);
    for (AnomalyType type : AnomalyType.values()) {
      if (decided && !open && expected.contains(type) && !actual.contains(type)) {
        differences.add(new Difference("misses " + type, false));
      }
      if (decided && !expected.contains(type) && actual.contains(type)) {
        differences.add(
            new Difference("reports " + type + ", which the whole does not show", false));
      }
    }
  }

  private static boolean lacksTimes(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown
        && unknown.reason() == Verdict.Reason.NO_REALTIME;
  }

  private static Set<AnomalyType> types(Report report) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    report.anomalies().forEach(anomaly -> types.add(anomaly.type()));
    return types;
  }

  /** The history in assay-jsonl, with the way it arrives. */
  String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      Formats.byId("assay-jsonl").orElseThrow().write(whole(), out);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return "blocks end at %s, window %d, lateness %d + %d, threads %d%n%s"
        .formatted(ends, window, lateness(), extra, threads, out.toString(StandardCharsets.UTF_8));
  }
}
