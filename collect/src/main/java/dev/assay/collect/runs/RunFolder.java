package dev.assay.collect.runs;

import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.json.Json;
import dev.assay.collect.json.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * One run on disk. What was asked never changes; what became of it is replaced as a whole, so that
 * a reader, or a restart, finds either the old state or the new one. Safe for several threads.
 */
public final class RunFolder {
  public static final String CONFIG = "config.json";
  public static final String STATE = "state.json";
  public static final String BUGS = "bugs.json";
  public static final String HISTORY = "history.assay";
  public static final String VERDICT = "verdict.json";
  public static final String REPORT = "report.html";
  public static final String LOG = "log.txt";

  /** What is known while the run goes on. */
  public static final String LIVE = "live.json";

  /** Asks the run to stop at the next violation by being there. */
  public static final String STOP_AT_VIOLATION = "stop-at-violation";

  /** What the name of a version certificate adds to the name of its history. */
  public static final String CERTIFICATE_ENDING = ".certificate.jsonl";

  private final Path path;
  private final RunConfig config;
  private RunState state;
  private Map<String, BugNote> bugs;

  /** What a user noted about an anomaly. */
  public record BugNote(String label, String notes) {}

  private RunFolder(Path path, RunConfig config, RunState state, Map<String, BugNote> bugs) {
    this.path = path;
    this.config = config;
    this.state = state;
    this.bugs = bugs;
  }

  /** Writes what is asked for into a new folder. */
  static RunFolder create(Path path, RunConfig config) throws IOException {
    RunFolder run = new RunFolder(path, config, RunState.begin(), Map.of());
    run.replace(STATE, Json.write(run.state));
    // The configuration comes last: a folder without one is not a run yet.
    run.replace(CONFIG, Json.write(config.fields()));
    return run;
  }

  /** Reads what is there; null where the folder is not a run. */
  static RunFolder open(Path path) {
    try {
      Object config = read(path.resolve(CONFIG));
      if (config == null) {
        return null;
      }
      RunState state = Records.read(RunState.class, read(path.resolve(STATE)));
      Map<String, BugNote> bugs = new LinkedHashMap<>();
      Json.object(read(path.resolve(BUGS)))
          .forEach((anomaly, note) -> bugs.put(anomaly, Records.read(BugNote.class, note)));
      return new RunFolder(path, RunConfig.read(Json.object(config)), state, bugs);
    } catch (IOException e) {
      RunState state =
          RunState.unreadable("the folder of this run cannot be read: " + e.getMessage());
      return new RunFolder(path, RunConfig.empty(Use.RUN), state, Map.of());
    }
  }

  private static Object read(Path file) throws IOException {
    try {
      return Json.read(Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The name of the folder, which begins with the time the run was asked for. */
  public String id() {
    return path.getFileName().toString();
  }

  public Path path() {
    return path;
  }

  /** A file of the run. The name is never one that came in a request. */
  public Path file(String name) {
    return path.resolve(name);
  }

  /** What was asked for. */
  public RunConfig config() {
    return config;
  }

  public RunStatus status() {
    return state().status();
  }

  /** What became of the run so far. */
  public synchronized RunState state() {
    return state;
  }

  /** What the process that works on the run says about it; null where there is nothing. */
  public LiveState live() {
    try {
      Object live = read(file(LIVE));
      return live == null ? null : Records.read(LiveState.class, live);
    } catch (IOException e) {
      return null;
    }
  }

  /** Changes the state, in memory and on disk. */
  public synchronized void update(UnaryOperator<RunState> change) throws IOException {
    RunState changed = change.apply(state);
    replace(STATE, Json.write(changed));
    state = changed;
  }

  /** Changes the status and its time. */
  public void become(RunStatus status, String message) throws IOException {
    update(before -> before.become(status, message));
  }

  /** What users noted about each anomaly, by its id. */
  public synchronized Map<String, BugNote> bugs() {
    return Collections.unmodifiableMap(bugs);
  }

  /** Notes something about an anomaly. */
  public synchronized void note(String anomaly, BugNote note) throws IOException {
    Map<String, BugNote> changed = new LinkedHashMap<>(bugs);
    changed.put(anomaly, note);
    replace(BUGS, Json.write(changed));
    bugs = changed;
  }

  /** Writes a file of the run so that it is there as a whole or not at all. */
  public void replace(String name, String text) throws IOException {
    // Not the JDK's temporary file, which only its owner may read: the umask decides here.
    Path temporary = path.resolve("." + name + "." + UUID.randomUUID() + ".tmp");
    try {
      Files.writeString(temporary, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
      try {
        Files.move(temporary, file(name), StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, file(name), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
