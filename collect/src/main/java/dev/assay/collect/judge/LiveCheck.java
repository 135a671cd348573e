package dev.assay.collect.judge;

import dev.assay.Report;
import dev.assay.check.LostWrites;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.binary.AssayBinary;
import dev.assay.format.binary.AssayBinaryParts;
import dev.assay.format.binary.AssayBinaryTail;
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
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Judges a run while it is recorded. A thread of its own reads the recording as it grows, so that
 * clients pay nothing for it, and hands what it reads to a {@link Monitor}.
 */
public final class LiveCheck implements AutoCloseable {
  private static final Verdict INTERRUPTED =
      new Verdict.Unknown(
          Verdict.Reason.TIMEOUT, "interrupted before all that was recorded was judged");

  private static final long POLL_MILLIS = 20;
  private static final long CLOSE_MILLIS = 1_000;

  private static final Duration FINISH = Duration.ofSeconds(2);

  /** How much later than others a client's transactions may be on disk. */
  private static final Duration LATENESS = Duration.ofMillis(500);

  private final Path recording;
  private final boolean inParts;

  /** The number of bytes on disk for judging. */
  private final long keep;

  private final CheckRequest request;
  private final Clock clock;
  private final Listener listener;
  private final Thread thread = new Thread(this::run, "judge");
  private final RunningTotals totals = new RunningTotals();
  private final List<LiveFacts.Moment> moments = Collections.synchronizedList(new ArrayList<>());

  private final List<Path> kept = Collections.synchronizedList(new ArrayList<>());

  private volatile int part = 1;

  /** Whether the recording lacks its beginning. */
  private boolean cut;

  private volatile Monitor monitor;
  private volatile List<Level> judged = List.of();
  private volatile boolean closed;

  /** Whether the recording is complete, so that what is still found is in the result at once. */
  private volatile boolean finishing;

  /** Whether the result is wanted although not all is judged. */
  private volatile boolean givenUp;

  private volatile Duration limit = FINISH;

  private volatile Report lastViolation;

  private volatile Throwable failure;
  private Report report;
  private long finishMillis;

  /** Takes violations that are found before the recording is complete, on the judging thread. */
  public interface Listener {
    void violated(Found violation);
  }

  /** The clock of a run, in nanoseconds. */
  public interface Clock {
    /** When clients began, by the clock of the recording. */
    long began();

    /** How long ago that was. */
    long elapsed();
  }

  /**
   * A violation that was found.
   *
   * @param moment what is violated, and when
   * @param result the part of the history that shows it
   * @param judged whether it violates a level that is judged, or is an anomaly that is forbidden
   */
  public record Found(LiveFacts.Moment moment, CheckResult result, boolean judged) {}

  /** The number of the part of the recording that is being read. */
  public int part() {
    return part;
  }

  /** The files that keep what shows the violations, if the recording itself is not kept. */
  public List<Path> kept() {
    synchronized (kept) {
      return List.copyOf(kept);
    }
  }

  /**
   * Begins to judge a recording.
   *
   * @param keep the number of bytes that are kept of the recording, which is then written in parts,
   *     and for judging it; null for all
   * @param clock the clock of the run
   */
  public LiveCheck(
      Path recording, Long keep, CheckRequest request, Clock clock, Listener listener) {
    this.recording = recording;
    this.inParts = keep != null;
    this.keep = inParts ? keep / 2 : Long.MAX_VALUE;
    this.request = request;
    this.clock = clock;
    this.listener = listener;
    thread.setDaemon(true);
    thread.start();
  }

  /** The verdict so far; empty before there is anything to judge. */
  public Optional<Standing> soFar() {
    Monitor current = monitor;
    return current == null ? Optional.empty() : Optional.of(current.soFar());
  }

  /** What was found so far, and when. */
  public List<LiveFacts.Moment> moments() {
    synchronized (moments) {
      return List.copyOf(moments);
    }
  }

  /** Why judging ended before the recording did, or null. */
  public Throwable failure() {
    return failure;
  }

  /**
   * The final result, once the recording is complete.
   *
   * @param patience how long to wait for it
   * @param measureHeap whether the result says how much heap was used
   * @return empty if the whole recording has to be checked to decide what was asked for
   */
  public Optional<CheckResult> result(Duration patience, boolean measureHeap) {
    await(patience);
    Report found = thread.isAlive() ? null : report;
    if (found == null && !(givenUp && thread.isAlive())) {
      return Optional.empty();
    }
    // Of a recording without its beginning the whole decides less.
    boolean open = found != null && found.verdicts().values().stream().anyMatch(LiveCheck::isOpen);
    if (open && !cut) {
      return Optional.empty();
    }
    Report known = found == null ? soFarOnly() : found;
    Report whole =
        new Report(
            known.history(),
            known.verdicts(),
            known.anomalies(),
            known.notes(),
            Map.of("finish", finishMillis),
            totals.orders());
    long heap = measureHeap ? Heap.peakBytes() : -1;
    return Optional.of(
        shown(request.filtered(whole), heap)
            .with(
                new LiveFacts(
                    totals.totals(),
                    totals.conflicts(),
                    moments(),
                    totals.activity(),
                    lost(whole))));
  }

  /** Which writes are lost, and when they were acknowledged, is known of the whole alone. */
  private LostWrites.Lost lost(Report found) {
    boolean any = found.anomalies().stream().anyMatch(a -> a.type() == AnomalyType.LOST_WRITE);
    if (!any || cut) {
      return null;
    }
    try {
      return LostWrites.lost(Formats.read(Input.of(recording)));
    } catch (ParseException e) {
      // What was found stands without it.
      return null;
    }
  }

  /** How long judging what is left may take, where the whole recording can be checked instead. */
  public void finishWithin(Duration newLimit) {
    limit = newLimit;
  }

  /** Makes {@link #result} give what is known by now. */
  public void giveUp() {
    givenUp = true;
  }

  private void await(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (thread.isAlive() && !givenUp && System.nanoTime() < deadline) {
        thread.join(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is violated so far; that no violation was found yet is not a proof. */
  private Report soFarOnly() {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    soFar().ifPresent(standing -> verdicts.putAll(standing.verdicts()));
    verdicts.replaceAll(
        (level, verdict) -> verdict instanceof Verdict.Violated ? verdict : INTERRUPTED);
    Report shown = lastViolation;
    return shown == null
        ? new Report(new HistoryBuilder().build(), verdicts, List.of(), List.of(), Map.of())
        : new Report(shown.history(), verdicts, shown.anomalies(), shown.notes(), Map.of());
  }

  /** Whether the whole recording may decide what is not decided so far. */
  private static boolean isOpen(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown
        && unknown.reason() != Verdict.Reason.NO_REALTIME;
  }

  private CheckResult shown(Report about, long heap) {
    return new CheckResult(recording.toString(), about, judged, request.survey(), 0, heap)
        .forbidding(request.forbidden());
  }

  private void run() {
    try (AssayBinaryTail tail =
        inParts
            ? AssayBinaryTail.ofParts(recording)
            : new AssayBinaryTail(recording, recording.toString())) {
      Map<String, String> said = new HashMap<>();
      boolean ended = false;
      while (!closed && !ended) {
        History block = tail.next();
        if (monitor == null && !tail.metadata().isEmpty()) {
          open(tail.metadata());
        }
        if (monitor != null) {
          tell(tail.metadata(), said);
        }
        if (block != null) {
          monitor.accept(block);
          totals.add(block, tail.metadata().get(History.FINAL_SESSION));
        } else if (!tail.isComplete()) {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        ended = tail.isComplete() && !goOn(tail);
      }
      cut = inParts && !Files.exists(AssayBinaryParts.path(recording, 1));
      part = Integer.MAX_VALUE;
      if (!closed) {
        finish();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | ParseException | RuntimeException | Error e) {
      // The recording is not harmed, and is checked as a whole then.
      failure = e;
    } finally {
      part = Integer.MAX_VALUE;
    }
  }

  /** Goes on with the next part, which is there before the one before it ends. */
  private boolean goOn(AssayBinaryTail tail) throws IOException {
    Path next = AssayBinaryParts.path(recording, part + 1);
    if (!inParts || !Files.exists(next)) {
      return false;
    }
    tail.goOnIn(next);
    part++;
    return true;
  }

  private void finish() {
    finishing = true;
    long begin = System.nanoTime();
    Thread watchdog = new Thread(this::limitFinish, "limit of judging");
    watchdog.setDaemon(true);
    if (!cut) {
      watchdog.start();
    }
    report = monitor.finish();
    watchdog.interrupt();
    finishMillis = (System.nanoTime() - begin) / 1_000_000;
  }

  /**
   * Judging falls behind where much is violated. The whole recording is then checked sooner than
   * what is left of it window by window.
   */
  private void limitFinish() {
    try {
      Thread.sleep(limit.toMillis());
      monitor.giveUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void open(Map<String, String> metadata) {
    judged = request.judged(metadata);
    MonitorOptions options =
        MonitorOptions.of(request.decided(metadata))
            .lateness(LATENESS)
            .keep(keep)
            .listener(this::found);
    monitor = Monitor.open(options);
  }

  /** Hands on what is new in the metadata. */
  private void tell(Map<String, String> metadata, Map<String, String> said) {
    if (said.size() != metadata.size()) {
      metadata.forEach(
          (name, text) -> {
            if (!text.equals(said.put(name, text)) && !AssayBinaryParts.isAboutPart(name)) {
              monitor.metadata(name, text);
            }
          });
    }
  }

  private void found(Violation violation) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    types.addAll(violation.types());
    long time = violation.time();
    long nanos = time == History.ABSENT ? -1 : Math.max(0, time - clock.began());
    LiveFacts.Moment moment =
        new LiveFacts.Moment(
            violation.levels(), types, nanos, clock.elapsed(), violation.transactions());
    moments.add(moment);
    lastViolation = violation.report();
    if (inParts) {
      keep(violation.report().history());
    }
    boolean counts =
        judged.stream().anyMatch(violation.levels()::contains)
            || request.forbidden().stream().anyMatch(types::contains);
    if (!finishing) {
      listener.violated(new Found(moment, shown(soFar(violation), -1), counts));
    }
  }

  /** Writes the part of the history that shows a violation to a file beside the recording. */
  private void keep(History shown) {
    String name = recording.getFileName().toString().replaceFirst("\\.assay$", "");
    Path file = recording.resolveSibling(name + ".violation-" + (kept.size() + 1) + ".assay");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      new AssayBinary().write(shown, out);
      kept.add(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
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

  /** Ends without a result, if there is none yet. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Thread closing = new Thread(this::closeMonitor, "end of judging");
    closing.setDaemon(true);
    closing.start();
    try {
      // What is being judged may take longer than anyone wants to wait for nothing.
      closing.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeMonitor() {
    try {
      thread.join();
      if (monitor != null) {
        monitor.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
