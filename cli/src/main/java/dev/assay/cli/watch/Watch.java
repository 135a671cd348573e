package dev.assay.cli.watch;

import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Interruption;
import dev.assay.cli.process.StatusLine;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.StreamedCheck;
import dev.assay.driver.AssayDriver;
import dev.assay.format.HistoryFormat;
import dev.assay.format.ParseException;
import dev.assay.format.follow.ByteSource;
import dev.assay.format.follow.GrowingFile;
import dev.assay.format.follow.HistoryStream;
import dev.assay.format.follow.StreamBytes;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import dev.assay.window.MonitorOptions;
import dev.assay.window.Standing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Follows one history until it ends, or until there is a reason to stop. */
final class Watch {
  private static final long POLL_MILLIS = 50;

  /** The least time between two states, and how much longer that is than saving one. */
  private static final long SAVE_NANOS = 2_000_000_000;

  private static final long SAVE_PAUSE = 20;

  private final String file;
  private final HistoryFormat format;
  private final CheckRequest request;
  private final Duration lateness;
  private final String latenessText;
  private final WatchOutput output;

  /** What was found before a restart; null if that is not remembered. */
  private final WatchState state;

  private final long began = System.nanoTime();
  private volatile boolean interrupted;
  private boolean announced;
  private long late;
  private long savedAt = began;
  private long saving;

  /** Whether something came since the state was saved. */
  private boolean unsaved;

  /** Whether what is in the state is being read again. */
  private boolean readsAgain;

  /** The file; null for standard input. */
  private GrowingFile growing;

  /**
   * What to watch.
   *
   * @param format null to find it by content
   */
  Watch(
      String file,
      HistoryFormat format,
      CheckRequest request,
      Duration lateness,
      String latenessText,
      WatchOutput output,
      WatchState state) {
    this.file = file;
    this.format = format;
    this.request = request;
    this.lateness = lateness;
    this.latenessText = latenessText;
    this.output = output;
    this.state = state;
  }

  /**
   * Follows the history, and returns the exit code.
   *
   * @param idle how long nothing may come before it ends; null for ever
   */
  int run(Duration idle, boolean untilViolated, Terminal terminal, boolean quiet)
      throws IOException, ParseException {
    Interruption interruption = Interruption.first(() -> interrupted = true);
    try (HistoryStream stream = new HistoryStream(file, source(terminal), format);
        StreamedCheck check =
            new StreamedCheck(file, request, this::limits, StreamedCheck.Clock.NONE, this::found);
        StatusLine status = quiet ? null : status(terminal, check)) {
      output.status(status);
      stream.onRemark(this::remark);
      readAgain(stream, check);
      String why = follow(stream, check, idle, untilViolated);
      if (!stream.ended()) {
        save(stream, check, true);
        History last = stream.stop();
        if (last != null) {
          accept(last, stream, check);
        }
      }
      long millis = (System.nanoTime() - began) / 1_000_000;
      CheckResult result = check.finish(millis, false).orElseThrow(this::nothing);
      if (state != null) {
        state.save(check.soFar().map(Standing::accepted).orElse(0L));
      }
      output.end(result, why);
      return code(result);
    } finally {
      interruption.forget();
    }
  }

  private ByteSource source(Terminal terminal) {
    if (file.equals("-")) {
      if (state != null) {
        throw new UsageException("--state needs a file to read again, not standard input");
      }
      return new StreamBytes(terminal.in());
    }
    Path path = Inputs.path(file);
    if (AssayDriver.isRecording(path)) {
      throw new UsageException(
          file
              + " is what assay-driver keeps until its application ends, which cannot be watched;"
              + " check it then");
    }
    growing = new GrowingFile(path);
    return growing;
  }

  private MonitorOptions limits(MonitorOptions options) {
    MonitorOptions limited = options.lateness(lateness);
    return state == null ? limited : limited.state(state.monitor());
  }

  /** Reads what the saved state has, without judging it again. */
  private void readAgain(HistoryStream stream, StreamedCheck check)
      throws IOException, ParseException {
    WatchState.Place place = state == null ? null : state.place();
    if (place == null) {
      return;
    }
    try {
      growing.readAgain(place.parts());
    } catch (IOException e) {
      throw new UsageException("cannot go on with " + file + ": " + e.getMessage());
    }
    readsAgain = true;
    while (stream.consumed() < place.consumed()) {
      History block = stream.next();
      if (block == null) {
        throw new UsageException("cannot go on with " + file + ": it is shorter than it was");
      }
      check.acceptAgain(block);
    }
    readsAgain = false;
    check.open(stream.isInOrder());
    begin(stream, check);
  }

  private ParseException nothing() {
    return ParseException.ofFile(
        file,
        "has no transactions so far",
        isFolder() ? "a history, in a file named " + GrowingFile.names() : "a history",
        "wait longer, or check the path");
  }

  /** Follows until there is a reason to end, which it returns. */
  private String follow(
      HistoryStream stream, StreamedCheck check, Duration idle, boolean untilViolated)
      throws IOException, ParseException {
    long last = System.nanoTime();
    while (true) {
      History block = stream.next();
      if (block != null) {
        accept(block, stream, check);
        last = System.nanoTime();
      }
      if (stream.ended()) {
        return "the input ended";
      }
      save(stream, check, false);
      if (interrupted) {
        return "interrupted";
      }
      if (untilViolated && check.violated()) {
        return "a violation was found";
      }
      if (block == null) {
        if (idle != null && System.nanoTime() - last > idle.toNanos()) {
          return "nothing arrived for " + Plain.duration(idle.toMillis());
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting", e);
    }
  }

  private void accept(History block, HistoryStream stream, StreamedCheck check) throws IOException {
    check.accept(block, stream.isInOrder());
    unsaved = true;
    begin(stream, check);
    long now = check.soFar().map(Standing::late).orElse(0L);
    if (now > late) {
      late = now;
      output.late(late, latenessText);
    }
  }

  private void begin(HistoryStream stream, StreamedCheck check) throws IOException {
    if (!announced) {
      announced = true;
      output.begin(stream.format().id(), check.judged());
    }
  }

  /** Saves the state if something is new, and if saving does not take much of the time. */
  private void save(HistoryStream stream, StreamedCheck check, boolean atOnce) throws IOException {
    boolean due = System.nanoTime() - savedAt > Math.max(SAVE_NANOS, SAVE_PAUSE * saving);
    if (state != null && unsaved && (atOnce || due)) {
      long begin = System.nanoTime();
      WatchState.Place place =
          new WatchState.Place(stream.consumed(), growing.parts(stream.unused()));
      check.save(place.written());
      state.save(check.soFar().map(Standing::accepted).orElse(0L));
      unsaved = false;
      savedAt = System.nanoTime();
      saving = savedAt - begin;
    }
  }

  private void found(StreamedCheck.Found found) {
    try {
      boolean known = state != null && state.knows(found.moment());
      if (!known) {
        output.violation(found);
      }
      if (state != null) {
        state.add(found.moment());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remark(String remark) {
    try {
      if (!readsAgain) {
        output.remark(remark);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int code(CheckResult result) throws IOException {
    int code = ExitCode.of(result);
    if (state != null) {
      List<Level> before = state.lost(result);
      if (!before.isEmpty()) {
        output.remark(
            "violated in an earlier part, which is no longer kept: " + Plain.listed(before));
        return ExitCode.worse(code, ExitCode.VIOLATED);
      }
    }
    return code;
  }

  private StatusLine status(Terminal terminal, StreamedCheck check) {
    return new StatusLine(terminal, () -> progress(check), () -> progress(check), true);
  }

  private boolean isFolder() {
    return !file.equals("-") && Files.isDirectory(Path.of(file));
  }

  private String progress(StreamedCheck check) {
    Optional<Standing> standing = check.soFar();
    String name = file.equals("-") ? "standard input" : file;
    if (standing.isEmpty()) {
      return "waiting for " + (isFolder() ? GrowingFile.names() + " in " : "") + name;
    }
    Standing now = standing.get();
    return Plain.duration((System.nanoTime() - began) / 1_000_000)
        + ": "
        + Plain.count(now.accepted(), "transaction")
        + ", "
        + Plain.number(now.judged())
        + " judged"
        + (now.anomalies().isEmpty()
            ? ""
            : "; " + Plain.listed(List.copyOf(now.anomalies().keySet())))
        + (now.judged() == 0 ? "" : "; " + holding(now.strongest()));
  }

  private static String holding(List<Level> strongest) {
    return "so far "
        + (strongest.isEmpty() ? "no level" : Plain.listed(strongest))
        + (strongest.size() > 1 ? " hold" : " holds");
  }
}
