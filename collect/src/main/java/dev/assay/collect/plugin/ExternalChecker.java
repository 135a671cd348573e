package dev.assay.collect.plugin;

import dev.assay.check.Budget;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.collect.json.Json;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A checker that is a command. It is given the history as a file, in the format it wants, once for
 * each level it decides, and answers by its exit code: 0 the level holds, 1 it is violated,
 * anything else it does not know. Described by a JSON file such as
 *
 * <pre>{@code
 * {"name": "dbcop", "command": ["dbcop", "verify", "{history}", "--level", "{level}"],
 *  "format": "dbcop", "lossy": true,
 *  "levels": {"causal": "cc", "strong-session-serializable": "ser"}}
 * }</pre>
 *
 * <p>A history that the format cannot express in full is given to it only if it is said to be
 * {@code lossy}, and then with a note on what was left out.
 */
final class ExternalChecker implements LevelChecker {
  private static final String HISTORY = "{history}";
  private static final String LEVEL = "{level}";
  private static final long POLL_MILLIS = 20;

  private final String name;
  private final List<String> command;
  private final HistoryFormat format;
  private final boolean lossy;
  private final Map<Level, String> levels;

  private ExternalChecker(
      String name,
      List<String> command,
      HistoryFormat format,
      boolean lossy,
      Map<Level, String> levels) {
    this.name = name;
    this.command = command;
    this.format = format;
    this.lossy = lossy;
    this.levels = levels;
  }

  static ExternalChecker of(Map<String, Object> description) {
    List<String> command = new ArrayList<>();
    Json.list(description.get("command")).forEach(part -> command.add(Json.text(part)));
    if (command.isEmpty() || command.stream().noneMatch(part -> part.contains(HISTORY))) {
      throw new IllegalArgumentException(
          "\"command\" must be a list of words, one of them with " + HISTORY);
    }
    String format = Json.text(description.getOrDefault("format", "assay-jsonl"));
    return new ExternalChecker(
        Json.text(description.get("name")),
        List.copyOf(command),
        Formats.byId(format)
            .filter(HistoryFormat::isWritable)
            .orElseThrow(
                () -> new IllegalArgumentException("no format '" + format + "' can be written")),
        Boolean.TRUE.equals(description.get("lossy")),
        levels(description.get("levels")));
  }

  /** Levels under Assay's names, and what the command calls them. */
  private static Map<Level, String> levels(Object described) {
    Map<Level, String> levels = new EnumMap<>(Level.class);
    Map<String, Object> names = new LinkedHashMap<>(Json.object(described));
    Json.list(described).forEach(level -> names.put(Json.text(level), level));
    names.forEach(
        (ours, theirs) ->
            levels.put(
                Level.find(ours)
                    .orElseThrow(
                        () -> new IllegalArgumentException("unknown level '" + ours + "'")),
                Json.text(theirs)));
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("\"levels\" must name the levels that it decides");
    }
    return levels;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Findings check(Subject subject) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    List<String> losses = format.losses(subject.history());
    String lost = String.join(", ", losses);
    if (!losses.isEmpty() && !lossy) {
      cannot(format.id() + " cannot express " + lost, subject, verdicts);
      return new Findings(verdicts, List.of(), List.of());
    }
    try {
      Path file = Files.createTempFile("assay-", ".history");
      try {
        write(subject.history(), file);
        for (Map.Entry<Level, String> level : levels.entrySet()) {
          if (subject.levels().contains(level.getKey())) {
            verdicts.put(level.getKey(), ask(file, level.getValue(), subject.budget()));
          }
        }
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      cannot("it cannot be run: " + e.getMessage(), subject, verdicts);
    }
    List<String> notes =
        losses.isEmpty() ? List.of() : List.of(name + " was given the history without " + lost);
    return new Findings(verdicts, List.of(), notes);
  }

  private void cannot(String why, Subject subject, Map<Level, Verdict> verdicts) {
    for (Level level : levels.keySet()) {
      if (subject.levels().contains(level)) {
        verdicts.putIfAbsent(level, unknown(Verdict.Reason.UNSUPPORTED, why));
      }
    }
  }

  private void write(History history, Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      format.write(history, out);
    }
  }

  private Verdict ask(Path file, String level, Budget budget) throws IOException {
    List<String> words = new ArrayList<>();
    for (String part : command) {
      words.add(part.replace(HISTORY, file.toString()).replace(LEVEL, level));
    }
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    try {
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (budget.expired()) {
          return unknown(Verdict.Reason.TIMEOUT, name + " did not finish in time");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unknown(Verdict.Reason.TIMEOUT, name + " was interrupted");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return switch (process.exitValue()) {
      case 0 -> new Verdict.Holds(name + " says so");
      case 1 -> new Verdict.Violated(List.of(), name + " says so");
      default ->
          unknown(Verdict.Reason.UNSUPPORTED, name + " ended with code " + process.exitValue());
    };
  }

  private static Verdict unknown(Verdict.Reason reason, String why) {
    return new Verdict.Unknown(reason, why);
  }
}
