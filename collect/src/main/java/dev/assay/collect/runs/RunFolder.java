package dev.assay.collect.runs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

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

  /** What the name of a version certificate adds to the name of its history. */
  public static final String CERTIFICATE_ENDING = ".certificate.jsonl";

  private final Path path;
  private final Map<String, Object> config;
  private Map<String, Object> state;
  private Map<String, Object> bugs;

  private RunFolder(
      Path path, Map<String, Object> config, Map<String, Object> state, Map<String, Object> bugs) {
    this.path = path;
    this.config = Collections.unmodifiableMap(config);
    this.state = state;
    this.bugs = bugs;
  }

  /** Writes down what is asked for in a new folder. */
  static RunFolder create(Path path, Map<String, Object> config) throws IOException {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("status", RunStatus.PENDING.id());
    state.put("created", Instant.now().toString());
    RunFolder run = new RunFolder(path, new LinkedHashMap<>(config), state, Map.of());
    run.replace(STATE, Json.write(state));
    // The configuration comes last: a folder without one is no run yet.
    run.replace(CONFIG, Json.write(config));
    return run;
  }

  /** Reads what is there; null where the folder is not a run. */
  static RunFolder open(Path path) {
    try {
      Map<String, Object> config = read(path.resolve(CONFIG));
      return config == null
          ? null
          : new RunFolder(path, config, orEmpty(path, STATE), orEmpty(path, BUGS));
    } catch (IOException e) {
      Map<String, Object> state = new LinkedHashMap<>();
      state.put("status", RunStatus.FAILED.id());
      state.put("message", "the folder of this run cannot be read: " + e.getMessage());
      return new RunFolder(path, Map.of(), state, Map.of());
    }
  }

  private static Map<String, Object> orEmpty(Path folder, String file) throws IOException {
    Map<String, Object> read = read(folder.resolve(file));
    return read == null ? new LinkedHashMap<>() : read;
  }

  private static Map<String, Object> read(Path file) throws IOException {
    try {
      return Json.readObject(Files.readString(file, StandardCharsets.UTF_8));
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

  /** A file of the run. The name is always one of ours, never one that somebody sent. */
  public Path file(String name) {
    return path.resolve(name);
  }

  /** What was asked for. */
  public Map<String, Object> config() {
    return config;
  }

  public synchronized RunStatus status() {
    return RunStatus.of(Json.text(state.get("status")));
  }

  /** What became of the run so far. */
  public synchronized Map<String, Object> state() {
    return Collections.unmodifiableMap(state);
  }

  /** Changes the state, in memory and on disk. */
  public synchronized void update(Consumer<Map<String, Object>> change) throws IOException {
    Map<String, Object> changed = new LinkedHashMap<>(state);
    change.accept(changed);
    replace(STATE, Json.write(changed));
    state = changed;
  }

  /** Changes the status and the time that goes with it. */
  public void become(RunStatus status, String message) throws IOException {
    update(
        changed -> {
          changed.put("status", status.id());
          changed.remove("message");
          if (message != null) {
            changed.put("message", message);
          }
          switch (status) {
            case PENDING -> {
              changed.remove("started");
              changed.remove("ended");
            }
            case RUNNING -> {
              changed.put("started", Instant.now().toString());
              changed.remove("ended");
            }
            default -> changed.put("ended", Instant.now().toString());
          }
        });
  }

  /** What people noted about each anomaly, by its id. */
  public synchronized Map<String, Object> bugs() {
    return Collections.unmodifiableMap(bugs);
  }

  /** Notes something about an anomaly. */
  public synchronized void note(String anomaly, String label, String notes) throws IOException {
    Map<String, Object> changed = new LinkedHashMap<>(bugs);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("label", label);
    entry.put("notes", notes);
    changed.put(anomaly, entry);
    replace(BUGS, Json.write(changed));
    bugs = changed;
  }

  /** Writes a file of the run so that it is there as a whole or not at all. */
  public void replace(String name, String text) throws IOException {
    // Not the JDK's temporary file, which nobody else may read: the umask decides here.
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
