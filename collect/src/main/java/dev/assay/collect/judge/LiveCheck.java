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
import dev.assay.level.AnomalyType;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import dev.assay.window.Monitor;
import dev.assay.window.Standing;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Judges a run while it is recorded. A thread of its own reads the recording as it grows, so that
 * clients pay nothing for it, and hands what it reads to a {@link Monitor}.
 */
public final class LiveCheck implements AutoCloseable {
  private static final Verdict.Unknown INTERRUPTED =
      new Verdict.Unknown(
          Verdict.Reason.TIMEOUT, "interrupted before all that was recorded was judged");

  private static final long POLL_MILLIS = 20;
  private static final long CLOSE_MILLIS = 1_000;

  /** How much later than others a client's transactions may be on disk. */
  private static final Duration LATENESS = Duration.ofMillis(500);

  private final Path recording;
  private final boolean inParts;
  private final StreamedCheck check;
  private final Consumer<StreamedCheck.Found> listener;
  private final Thread thread = new Thread(this::run, "judge");
  private final List<Path> kept = Collections.synchronizedList(new ArrayList<>());

  private volatile int part = 1;

  /** Whether the recording lacks its beginning. */
  private boolean cut;

  private volatile boolean closed;

  /** Whether the recording is complete, so that what is still found is in the result at once. */
  private volatile boolean finishing;

  /** Whether the result is wanted although not all is judged. */
  private volatile boolean givenUp;

  private volatile Throwable failure;
  private Report report;

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
   * @param listener takes violations that are found before the recording is complete, on the
   *     judging thread
   */
  public LiveCheck(
      Path recording,
      Long keep,
      CheckRequest request,
      StreamedCheck.Clock clock,
      Consumer<StreamedCheck.Found> listener) {
    this.recording = recording;
    this.inParts = keep != null;
    this.listener = listener;
    long bytes = inParts ? keep / 2 : Long.MAX_VALUE;
    this.check =
        new StreamedCheck(
            recording.toString(),
            request,
            options -> options.lateness(LATENESS).keep(bytes),
            clock,
            this::found);
    thread.setDaemon(true);
    thread.start();
  }

  /** The verdict so far; empty before there is anything to judge. */
  public Optional<Standing> soFar() {
    return check.soFar();
  }

  /** What was found so far, and when. */
  public List<LiveFacts.Moment> moments() {
    return check.moments();
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
   * @return empty if the whole recording has to be checked, for {@link #whyWhole}
   */
  public Optional<CheckResult> result(Duration patience, boolean measureHeap) {
    await(patience);
    if (thread.isAlive()) {
      return Optional.of(check.givenUp(givenUp ? INTERRUPTED : Verdict.Unknown.TIMEOUT));
    }
    if (inParts && failure != null) {
      // The recording may not have what was found.
      return Optional.of(check.givenUp(failed()));
    }
    // Of a recording without its beginning the whole decides less.
    boolean open =
        report == null || report.verdicts().values().stream().anyMatch(LiveCheck::isOpen);
    return open && !(cut && report != null)
        ? Optional.empty()
        : Optional.of(check.result(report, 0, measureHeap, lost(report)));
  }

  /**
   * Why the whole recording has to be checked, once there was no {@link #result}: judging failed,
   * or the recording has what is not judged in windows.
   */
  public String whyWhole() {
    if (report == null) {
      return String.valueOf(failure);
    }
    return report.verdicts().values().stream()
        .filter(LiveCheck::isOpen)
        .map(verdict -> ((Verdict.Unknown) verdict).why())
        .findFirst()
        .orElse(null);
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

  private Verdict.Unknown failed() {
    return failure instanceof OutOfMemoryError
        ? Verdict.Unknown.OUT_OF_MEMORY
        : new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, "judging failed: " + failure);
  }

  /** Makes {@link #result} give what is known by now. */
  public void giveUp() {
    givenUp = true;
  }

  private void await(Duration patience) {
    // There is no more to wait for in the recording.
    LockSupport.unpark(thread);
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (thread.isAlive() && !givenUp && System.nanoTime() < deadline) {
        thread.join(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether windows cannot decide what the whole recording may. */
  private static boolean isOpen(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown
        && !unknown.isForLack()
        && unknown.reason() != Verdict.Reason.NO_REALTIME;
  }

  private void run() {
    try (AssayBinaryTail tail =
        inParts
            ? AssayBinaryTail.ofParts(recording)
            : new AssayBinaryTail(recording, recording.toString())) {
      boolean ended = false;
      while (!closed && !ended) {
        History block = tail.next();
        if (!tail.metadata().isEmpty()) {
          check.describe(ofTheRun(tail.metadata()));
          check.open(false);
        }
        if (block != null) {
          check.take(block);
        } else if (!tail.isComplete()) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
        }
        ended = tail.isComplete() && !goOn(tail);
      }
      cut = inParts && !Files.exists(AssayBinaryParts.path(recording, 1));
      part = Integer.MAX_VALUE;
      if (!closed) {
        finishing = true;
        report = check.judgeRest();
      }
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

  private static Map<String, String> ofTheRun(Map<String, String> metadata) {
    Map<String, String> left = new LinkedHashMap<>(metadata);
    left.keySet().removeIf(AssayBinaryParts::isAboutPart);
    return left;
  }

  private void found(StreamedCheck.Found violation) {
    if (inParts) {
      keep(violation.result().report().history());
    }
    if (!finishing) {
      listener.accept(violation);
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
      check.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
