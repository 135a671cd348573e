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
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * A checker that is a command. It is given the history as a file, in the format it wants, once for
 * each level it decides, and answers by its exit code: 0 the level holds, 1 it is violated,
 * anything else it does not know; or by what it prints, if the description has the expressions
 * {@code holds} and {@code violated}. Described by a JSON file such as
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
  private static final String FOLDER = "{folder}";
  private static final String LEVEL = "{level}";
  private static final long POLL_MILLIS = 20;
  private static final int MOST_OUTPUT = 1 << 20;

  /** The name of the file inside a temporary folder; a checker may want folders or an extension. */
  private static final Pattern FILE = Pattern.compile("(\\w[\\w.-]*/){0,3}\\w[\\w.-]*");

  private final String name;
  private final List<String> command;
  private final HistoryFormat format;
  private final String file;
  private final boolean lossy;
  private final Map<Level, String> levels;
  private final Answer answer;

  private ExternalChecker(
      String name,
      List<String> command,
      HistoryFormat format,
      String file,
      boolean lossy,
      Map<Level, String> levels,
      Answer answer) {
    this.name = name;
    this.command = command;
    this.format = format;
    this.file = file;
    this.lossy = lossy;
    this.levels = levels;
    this.answer = answer;
  }

  /**
   * What the output of a command says.
   *
   * @param holds found in it where the level holds; null where the exit code answers
   * @param violated found in it where the level is violated
   */
  private record Answer(Pattern holds, Pattern violated) {
    static Answer of(Map<String, Object> description) {
      Pattern holds = pattern(description, "holds");
      Pattern violated = pattern(description, "violated");
      if ((holds == null) != (violated == null)) {
        throw new IllegalArgumentException(
            "\"holds\" and \"violated\" must be given together, or neither");
      }
      return new Answer(holds, violated);
    }

    private static Pattern pattern(Map<String, Object> description, String field) {
      if (!description.containsKey(field)) {
        return null;
      }
      try {
        return Pattern.compile(Json.text(description.get(field)), Pattern.MULTILINE);
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException(
            "\"" + field + "\" is not a regular expression: " + e.getDescription());
      }
    }

    boolean isPrinted() {
      return holds != null;
    }

    /** As an exit code: 1, 0, or -1 if the output says neither. */
    int in(String output) {
      if (violated.matcher(output).find()) {
        return 1;
      }
      return holds.matcher(output).find() ? 0 : -1;
    }
  }

  static ExternalChecker of(Map<String, Object> description) {
    List<String> command = new ArrayList<>();
    Json.list(description.get("command")).forEach(part -> command.add(Json.text(part)));
    if (command.stream().noneMatch(part -> part.contains(HISTORY) || part.contains(FOLDER))) {
      throw new IllegalArgumentException(
          "\"command\" must be a list of words, one of them with " + HISTORY);
    }
    String file = Json.text(description.getOrDefault("file", "history"));
    if (!FILE.matcher(file).matches()) {
      throw new IllegalArgumentException(
          "\"file\" must be a name such as history.json, or hist-00000/history.bincode");
    }
    String format = Json.text(description.getOrDefault("format", "assay-jsonl"));
    return new ExternalChecker(
        Json.text(description.get("name")),
        List.copyOf(command),
        Formats.byId(format)
            .filter(HistoryFormat::isWritable)
            .orElseThrow(
                () -> new IllegalArgumentException("no format '" + format + "' can be written")),
        file,
        Boolean.TRUE.equals(description.get("lossy")),
        levels(description.get("levels")),
        Answer.of(description));
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
      Path folder = Files.createTempDirectory("assay-");
      try {
        Path history = folder.resolve("given").resolve(file);
        Files.createDirectories(history.getParent());
        write(subject.history(), history);
        for (Map.Entry<Level, String> level : levels.entrySet()) {
          if (subject.levels().contains(level.getKey())) {
            verdicts.put(level.getKey(), ask(folder, level.getValue(), subject.budget()));
          }
        }
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      cannot("its files cannot be written: " + e.getMessage(), subject, verdicts);
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

  private void write(History history, Path to) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to))) {
      format.write(history, out);
    }
  }

  /** Deletes a folder with what the command may have left in it. */
  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(folder)) {
      all = new ArrayList<>(paths.toList());
    }
    Collections.reverse(all);
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }

  private Verdict ask(Path folder, String level, Budget budget) throws IOException {
    Path given = folder.resolve("given");
    List<String> words = new ArrayList<>();
    for (String part : command) {
      words.add(
          part.replace(HISTORY, given.resolve(file).toString())
              .replace(FOLDER, given.toString())
              .replace(LEVEL, level));
    }
    Path output = folder.resolve("output");
    ProcessBuilder started =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(
                answer.isPrinted()
                    ? ProcessBuilder.Redirect.to(output.toFile())
                    : ProcessBuilder.Redirect.DISCARD);
    Process process;
    try {
      process = started.start();
    } catch (IOException e) {
      String why = words.get(0) + " cannot be run; is it on the PATH?";
      return unknown(Verdict.Reason.UNSUPPORTED, why);
    }
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
    int said = answer.isPrinted() ? answer.in(last(output)) : process.exitValue();
    return switch (said) {
      case 0 -> new Verdict.Holds(name + " says so");
      case 1 -> new Verdict.Violated(List.of(), name + " says so");
      default ->
          unknown(
              Verdict.Reason.UNSUPPORTED,
              name
                  + (answer.isPrinted() ? " printed no answer and" : "")
                  + " ended with code "
                  + process.exitValue());
    };
  }

  /** The end of the output, where the answer is. */
  private static String last(Path output) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(output.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(in.length(), MOST_OUTPUT)];
      in.seek(in.length() - bytes.length);
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static Verdict unknown(Verdict.Reason reason, String why) {
    return new Verdict.Unknown(reason, why);
  }
}
