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
import java.util.Arrays;
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
import java.util.stream.Collectors;

/**
 * A history and the way it reaches a monitor.
 *
 * @param like what it declares beside its transactions
 * @param lines its transactions in order of arrival
 * @param ends the number of transactions that have arrived after each block
 * @param way how the monitor is set
 */
record Feed(History like, List<Line> lines, List<Integer> ends, Way way) {
  /**
   * How a monitor is set.
   *
   * @param cutEvery after how many transactions it looks for a cut
   * @param lag how many transactions of each session it leaves for the next window
   * @param extra how much later than needed transactions may be, in nanoseconds; negative where
   *     some come too late
   * @param window the maximum number of transactions judged together, or 0 for the usual one
   * @param memory the number of bytes for past transactions, or −1 for the usual one
   * @param threads the number of threads that accept the transactions of a block
   */
  record Way(int cutEvery, double lag, long extra, int window, long memory, int threads) {
    MonitorOptions options(long lateness) {
      MonitorOptions options = MonitorOptions.of(LEVELS);
      options = options.lateness(Duration.ofNanos(Math.max(0, lateness + extra)));
      options = window > 0 ? options.window(window) : options;
      return memory >= 0 ? options.memory(memory) : options;
    }

    Way withOneThread() {
      return new Way(cutEvery, lag, extra, window, memory, 1);
    }

    /** The same where the latest transactions come later than allowed. */
    Way tooLate() {
      return new Way(cutEvery, lag, -20, window, memory, threads);
    }

    /** The same with small windows only. */
    Way window(int most) {
      return new Way(cutEvery, lag, extra, most, memory, threads);
    }
  }

  static final List<Level> LEVELS = Level.surveyed();

  /** What two ways of judging a history say differently. */
  record Difference(String what, Kind kind) {}

  /** What a difference is about. */
  enum Kind {
    VERDICT,
    /** The whole-history checkers decide what windows leave open. */
    OPEN,
    /** The names of anomalies. */
    NAME,
    /** What is announced and shown. */
    PART
  }

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
        latest = way.threads > 1 ? Math.max(latest, line.end()) : latest;
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
        way.options(lateness()).listener(violation -> compare(whole, violation, announced, wrong));
    try (Monitors.Judging monitor = Monitors.open(options, way)) {
      int from = 0;
      for (int end : ends) {
        accept(monitor, lines.subList(from, end));
        from = end;
        compare(whole, monitor.soFar(), wrong);
      }
      report = monitor.finish();
      Set<Level> violated = EnumSet.noneOf(Level.class);
      LEVELS.stream().filter(report::violated).forEach(violated::add);
      showsAlone(report, violated, "the final part for", wrong);
      compare(whole, monitor.soFar(), wrong);
    } catch (RuntimeException e) {
      return List.of(new Difference(thrown(e), Kind.VERDICT));
    }
    List<Difference> differences = new ArrayList<>();
    compare(whole, report, announced, differences);
    new TreeSet<>(wrong)
        .forEach(
            what ->
                differences.add(
                    new Difference(what, what.contains("holds, ") ? Kind.VERDICT : Kind.PART)));
    return differences;
  }

  /** What was thrown and where in the engine, without the numbers of the case. */
  private static String thrown(RuntimeException thrown) {
    String place =
        Arrays.stream(thrown.getStackTrace())
            .map(StackTraceElement::toString)
            .filter(frame -> frame.contains("dev.assay") && !frame.contains("Feed."))
            .limit(4)
            .collect(Collectors.joining(", "));
    return "throws " + String.valueOf(thrown).replaceAll("-?\\d+", "N") + " at " + place;
  }

  private void accept(Monitors.Judging monitor, List<Line> block) {
    if (way.threads == 1) {
      monitor.accept(Line.history(block, like));
      return;
    }
    Map<Integer, List<Line>> byThread = new HashMap<>();
    for (Line line : block) {
      int thread = Math.floorMod(String.valueOf(line.session()).hashCode(), way.threads);
      byThread.computeIfAbsent(thread, t -> new ArrayList<>()).add(line);
    }
    ExecutorService executor = Executors.newFixedThreadPool(way.threads);
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

  private static void compare(
      Report whole, Violation violation, Set<Level> announced, List<String> wrong) {
    for (Level level : violation.levels()) {
      if (!announced.add(level)) {
        wrong.add(level + " is announced twice");
      }
      if (whole.verdict(level) instanceof Verdict.Holds) {
        wrong.add(level + " holds, announced as violated");
      }
    }
    showsAlone(violation.report(), violation.levels(), "what is announced for", wrong);
  }

  /** The part of the history in a report violates the same levels by itself. */
  private static void showsAlone(
      Report report, Set<Level> levels, String what, List<String> wrong) {
    if (!levels.isEmpty()) {
      Report alone = Assay.check(report.history(), levels, Budget.unlimited());
      for (Level level : levels) {
        if (!report.violated(level)) {
          wrong.add(what + " " + level + " does not say so");
        }
        if (!alone.violated(level)) {
          wrong.add(what + " " + level + " alone does not violate it");
        }
      }
    }
  }

  private static void compare(Report whole, Standing soFar, List<String> wrong) {
    for (Level level : LEVELS) {
      if (soFar.violated(level) && whole.verdict(level) instanceof Verdict.Holds) {
        wrong.add(level + " holds, violated so far");
      }
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
                level + " " + expected.id() + ", in windows unknown: " + unknown.why(), Kind.OPEN));
      } else if (!actual.id().equals(expected.id()) && (decided || lacksTimes(expected))) {
        differences.add(
            new Difference(
                level + " " + expected.id() + ", in windows " + actual.id(), Kind.VERDICT));
      }
      if (windows.violated(level) != announced.contains(level)) {
        differences.add(
            new Difference(
                level + " " + actual.id() + ", announced: " + announced.contains(level),
                Kind.PART));
      }
    }
    Set<AnomalyType> expected = types(whole);
    Set<AnomalyType> actual = types(windows);
    boolean decided =
        whole.verdicts().values().stream().noneMatch(Verdict.Unknown.class::isInstance);
    for (AnomalyType type : AnomalyType.values()) {
      if (decided && !open && expected.contains(type) && !actual.contains(type)) {
        differences.add(new Difference("misses " + type, Kind.NAME));
      }
      if (decided && !expected.contains(type) && actual.contains(type)) {
        differences.add(
            new Difference("reports " + type + ", which the whole does not show", Kind.NAME));
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
    String text = out.toString(StandardCharsets.UTF_8);
    return "blocks end at %s, lateness %d, %s%n%s".formatted(ends, lateness(), way, text);
  }
}
