package dev.assay.collect.judge;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.LostWrites;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import dev.assay.window.Standing;
import dev.assay.window.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Decides what a request asks for about a history that comes block by block, with a {@link
 * Monitor}. Violations are handed on when they are found.
 */
public final class StreamedCheck implements AutoCloseable {
  private final String file;
  private final CheckRequest request;
  private final UnaryOperator<MonitorOptions> limits;
  private final Consumer<Found> listener;
  private final Clock clock;
  private final RunningTotals totals = new RunningTotals();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final List<LiveFacts.Moment> moments = Collections.synchronizedList(new ArrayList<>());
  private volatile Monitor monitor;
  private volatile List<Level> judged = List.of();
  private volatile boolean violated;

  /** The clock of a run, in nanoseconds. */
  public interface Clock {
    /** For histories that others record: it is not known when they began. */
    Clock NONE =
        new Clock() {
          @Override
          public long began() {
            return History.ABSENT;
          }

          @Override
          public long elapsed() {
            return -1;
          }
        };

    /** When clients began, by the clock of the recording; or {@link History#ABSENT}. */
    long began();

    /** How long ago that was, or −1. */
    long elapsed();
  }

  /** The last violation that counts, else the first of all; null for none. */
  private volatile Report shown;

  /**
   * A violation that was found.
   *
   * @param moment what is violated, and after how many transactions
   * @param result the part of the history that shows it
   * @param time when the last of its transactions ended, in the units of the history, or {@link
   *     History#ABSENT}
   * @param judged whether it violates a level that is judged, or is an anomaly that is forbidden
   */
  public record Found(LiveFacts.Moment moment, CheckResult result, long time, boolean judged) {}

  /**
   * A check of a history of which nothing is there yet.
   *
   * @param file the history as the user named it
   * @param limits what the monitor may use
   * @param clock tells when violations are found
   * @param listener takes violations, on the thread that judges
   */
  public StreamedCheck(
      String file,
      CheckRequest request,
      UnaryOperator<MonitorOptions> limits,
      Clock clock,
      Consumer<Found> listener) {
    this.file = file;
    this.request = request;
    this.limits = limits;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Takes in finished transactions.
   *
   * @param isInOrder whether none can be late, because times are the order in which they come
   */
  public void accept(History block, boolean isInOrder) {
    describe(block.metadata());
    open(isInOrder);
    take(block);
  }

  /** Takes in finished transactions, once judging has begun. */
  void take(History block) {
    if (block.transactionCount() > 0) {
      monitor.accept(block);
      totals.add(block, metadata.get(History.FINAL_SESSION));
    }
  }

  /** Takes in transactions that are in the state with which the monitor will begin. */
  public void acceptAgain(History block) {
    describe(block.metadata());
    totals.add(block, metadata.get(History.FINAL_SESSION));
  }

  /** Begins to judge, if that has not begun. */
  public void open(boolean isInOrder) {
    if (monitor != null) {
      return;
    }
    judged = request.judged(metadata);
    MonitorOptions options =
        limits.apply(MonitorOptions.of(request.decided(metadata))).listener(this::found);
    monitor = Monitor.open(isInOrder ? options.lateness(Duration.ZERO) : options);
    metadata.forEach(monitor::metadata);
    Standing before = monitor.soFar();
    violated =
        judged.stream().anyMatch(before::violated)
            || request.forbidden().stream().anyMatch(before.anomalies()::containsKey);
  }

  /** Saves the state of the monitor, with something of the caller's; false if there is none. */
  public boolean save(byte[] note) {
    if (monitor != null) {
      monitor.save(note);
    }
    return monitor != null;
  }

  /** Takes in what is known about the history beside its transactions. */
  public void describe(Map<String, String> more) {
    more.forEach(
        (name, text) -> {
          if (!text.equals(metadata.put(name, text)) && monitor != null) {
            monitor.metadata(name, text);
          }
        });
  }

  /** The levels that decide between success and failure; none before the first block. */
  public List<Level> judged() {
    return judged;
  }

  /** Whether a level that is judged is violated, or an anomaly that is forbidden was found. */
  public boolean violated() {
    return violated;
  }

  /** The verdict so far; empty before the first block. */
  public Optional<Standing> soFar() {
    Monitor current = monitor;
    return current == null ? Optional.empty() : Optional.of(current.soFar());
  }

  /**
   * The result, once all blocks were taken in; empty if there were none.
   *
   * @param millis how long reading took
   * @param measureHeap whether the result says how much heap was used
   */
  public Optional<CheckResult> finish(long millis, boolean measureHeap) {
    if (monitor == null) {
      return Optional.empty();
    }
    return Optional.of(result(judgeRest(), millis, measureHeap, null));
  }

  /** Judges what is left. */
  Report judgeRest() {
    long begin = System.nanoTime();
    Report report = monitor.finish();
    Map<String, Long> stages = Map.of("finish", (System.nanoTime() - begin) / 1_000_000);
    return new Report(
        report.history(),
        report.verdicts(),
        report.anomalies(),
        report.notes(),
        stages,
        totals.orders());
  }

  /** Makes judging end soon, from any thread; levels that are not violated are unknown. */
  void giveUp() {
    Monitor current = monitor;
    if (current != null) {
      current.giveUp();
    }
  }

  /**
   * The result.
   *
   * @param whole what {@link #judgeRest} found
   * @param lost which writes are lost, or null
   */
  CheckResult result(Report whole, long millis, boolean measureHeap, LostWrites.Lost lost) {
    long heap = measureHeap ? Heap.peakBytes() : -1;
    return result(request.filtered(whole), millis, heap).with(facts(lost));
  }

  /** The result where judging ends before it is complete: what is not violated is unknown. */
  CheckResult givenUp(Verdict.Unknown why) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    for (Level level : request.decided(metadata)) {
      verdicts.put(level, why);
    }
    soFar()
        .ifPresent(
            now ->
                now.verdicts()
                    .forEach(
                        (level, verdict) ->
                            verdicts.put(level, verdict instanceof Verdict.Holds ? why : verdict)));
    judged = request.judged(metadata);
    History part = shown == null ? new HistoryBuilder().build() : shown.history();
    List<Anomaly> anomalies = shown == null ? List.of() : shown.anomalies();
    Report report = new Report(part, verdicts, anomalies, List.of(), Map.of(), totals.orders());
    return result(request.filtered(report), 0, -1).with(facts(null));
  }

  private LiveFacts facts(LostWrites.Lost lost) {
    return new LiveFacts(totals.totals(), totals.conflicts(), moments(), totals.activity(), lost);
  }

  /** What was found so far, and when. */
  List<LiveFacts.Moment> moments() {
    synchronized (moments) {
      return List.copyOf(moments);
    }
  }

  private CheckResult result(Report report, long millis, long heap) {
    return new CheckResult(file, report, judged, request.survey(), millis, heap)
        .forbidding(request.forbidden());
  }

  private void found(Violation violation) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    types.addAll(violation.types());
    boolean timed = violation.time() != History.ABSENT && clock.began() != History.ABSENT;
    LiveFacts.Moment moment =
        new LiveFacts.Moment(
            violation.levels(),
            types,
            timed ? Math.max(0, violation.time() - clock.began()) : -1,
            clock.elapsed(),
            violation.transactions());
    moments.add(moment);
    boolean counts =
        judged.stream().anyMatch(violation.levels()::contains)
            || request.forbidden().stream().anyMatch(types::contains);
    violated |= counts;
    if (counts || shown == null) {
      shown = violation.report();
    }
    CheckResult part = result(soFar(violation), 0, -1);
    listener.accept(new Found(moment, part, violation.time(), counts));
  }

  /** The part that shows a violation, with the verdicts on all that was judged so far. */
  private Report soFar(Violation violation) {
    Report part = violation.report();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(monitor.soFar().verdicts());
    for (Level level : violation.levels()) {
      verdicts.put(level, part.verdicts().getOrDefault(level, verdicts.get(level)));
    }
    return new Report(part.history(), verdicts, part.anomalies(), part.notes(), part.stageMillis());
  }

  @Override
  public void close() {
    if (monitor != null) {
      monitor.close();
    }
  }
}
