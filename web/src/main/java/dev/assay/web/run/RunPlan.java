package dev.assay.web.run;

import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The steps of a run: each is one command of Assay, run in a process of its own. */
public final class RunPlan {
  /** The environment variable that hands a password to a child process. */
  static final String PASSWORD_VARIABLE = "ASSAY_RUN_PASSWORD";

  /** What stands in a configuration for a password that was given. */
  static final String NOT_STORED = "not stored";

  static final String STANDARD_TIMEOUT = "10m";
  static final String STANDARD_MEMORY = "2g";

  private static final Duration SETUP = Duration.ofMinutes(15);
  private static final Duration GRACE = Duration.ofMinutes(1);
  private static final String STANDARD_DURATION = "5s";
  private static final Pattern TIME = Pattern.compile("(\\d+)(ms|s|m|h)");

  /**
   * A step.
   *
   * @param name what it does, for people
   * @param checker the checker that it asks, or null where it makes the history
   * @param arguments the command line of Assay
   * @param output the file for what it prints
   * @param samples the file for what it uses
   * @param limit when it is ended from outside, should its own budget not bind
   */
  public record Step(
      String name,
      String checker,
      List<String> arguments,
      String output,
      String samples,
      Duration limit) {
    boolean isCheck() {
      return checker != null;
    }
  }

  private RunPlan() {}

  /** The file with the history, in the folder of the run. */
  public static String historyFile(Map<String, Object> config) {
    String file = Json.text(config.get("file"));
    return file.isEmpty() ? RunFolder.HISTORY : file;
  }

  /** The file with the orders of versions, in the folder of the run, or null. */
  public static String certificateFile(Map<String, Object> config) {
    if (RunRequest.YES.equals(config.get("white-box"))) {
      return historyFile(config) + RunFolder.CERTIFICATE_ENDING;
    }
    Object sent = config.get("certificate");
    return sent == null ? null : sent.toString();
  }

  /** The checkers that a run asks, the one whose verdict is the run's first. */
  public static List<String> checkers(Map<String, Object> config) {
    List<String> checkers = Parameter.values(Json.text(config.get("checkers")));
    return checkers.isEmpty() ? RunRequest.OUR_CHECKERS.subList(0, 1) : checkers;
  }

  /** The file with what a checker found, in the folder of the run. */
  public static String verdictFile(String checker, Map<String, Object> config) {
    boolean first = checkers(config).get(0).equals(checker);
    return first ? RunFolder.VERDICT : "verdict-" + checker + ".json";
  }

  /** The file with what the process of a checker used. */
  public static String samplesFile(String checker) {
    return "samples-check-" + checker + ".csv";
  }

  /** The file with what the process that made the history used. */
  public static String samplesFile() {
    return "samples-record.csv";
  }

  /** The steps of a run. */
  static List<Step> steps(RunFolder run, String plugins) {
    Map<String, Object> config = run.config();
    List<Step> steps = new ArrayList<>();
    String source = Json.text(config.get("source"));
    if (!source.equals(RunRequest.UPLOAD)) {
      List<String> arguments = making(config);
      arguments.add("--out=" + historyFile(config));
      boolean synthetic = source.equals(RunRequest.SYNTHETIC);
      Duration limit =
          synthetic
              ? time(config, "timeout", STANDARD_TIMEOUT).plus(GRACE)
              : time(config, "duration", STANDARD_DURATION).plus(SETUP);
      if (!synthetic) {
        // A run that was cut off begins again.
        arguments.add("--force");
      }
      String name = synthetic ? "generate" : "record";
      steps.add(new Step(name, null, arguments, "output.txt", samplesFile(), limit));
    }
    for (String checker : checkers(config)) {
      List<String> arguments = new ArrayList<>(List.of("check", historyFile(config)));
      arguments.addAll(reading(config, certificateFile(config)));
      if (source.equals(RunRequest.UPLOAD)) {
        arguments.add("--untrusted");
      }
      arguments.addAll(judging(config));
      arguments.add("--output=json");
      if (!checker.equals(RunRequest.OUR_CHECKERS.get(0))) {
        arguments.add("--checker=" + checker);
        if (plugins != null && !RunRequest.OUR_CHECKERS.contains(checker)) {
          arguments.add("--plugins=" + plugins);
        }
      }
      if (checkers(config).get(0).equals(checker)) {
        arguments.add("--report=" + RunFolder.REPORT);
      }
      Duration limit = time(config, "timeout", STANDARD_TIMEOUT).plus(GRACE);
      String output = verdictFile(checker, config);
      steps.add(
          new Step(
              "check with " + checker, checker, arguments, output, samplesFile(checker), limit));
    }
    return steps;
  }

  /** The command that makes the history of a run, without the file it goes to. */
  private static List<String> making(Map<String, Object> config) {
    String source = Json.text(config.get("source"));
    boolean synthetic = source.equals(RunRequest.SYNTHETIC);
    List<String> arguments = new ArrayList<>(List.of(synthetic ? "generate" : "record"));
    arguments.addAll(target(config));
    arguments.addAll(options(config));
    return arguments;
  }

  static List<String> target(Map<String, ?> config) {
    List<String> target = new ArrayList<>();
    String database = Json.text(config.get("database"));
    switch (Json.text(config.get("source"))) {
      case RunRequest.DATABASE -> {
        String version = Json.text(config.get("version"));
        target.add(version.isEmpty() ? database : database + "@" + version);
      }
      case RunRequest.JDBC -> {
        target.add(database);
        target.addAll(List.of(Json.text(config.get("url")).split("\\s+")));
      }
      default -> {}
    }
    return target;
  }

  /** The options of a workload, each as one word, so that no value can be taken for an option. */
  static List<String> options(Map<String, ?> config) {
    List<String> options = new ArrayList<>();
    boolean synthetic = RunRequest.SYNTHETIC.equals(config.get("source"));
    for (Parameter parameter : Parameter.values()) {
      Object value = config.get(parameter.id());
      boolean said = !parameter.isStandardEverywhere() || !parameter.standard().equals(value);
      if (value != null && parameter.isFor(synthetic) && said) {
        options.add("--" + parameter.id() + "=" + value);
      }
    }
    if (!synthetic) {
      for (String name : RunRequest.WAYS) {
        Object value = config.get(name);
        if (value != null) {
          options.add("--" + name + (RunRequest.FLAGS.contains(name) ? "" : "=" + value));
        }
      }
      for (String name : List.of("faults", "faults-every")) {
        if (config.get("faults") != null && config.get(name) != null) {
          options.add("--" + name + "=" + config.get(name));
        }
      }
      if (config.get("user") != null) {
        options.add("--user=" + config.get("user"));
      }
      if (config.get("password") != null) {
        options.add("--password-env=" + PASSWORD_VARIABLE);
      }
    }
    return options;
  }

  static List<String> judging(Map<String, ?> config) {
    List<String> options = new ArrayList<>();
    for (String name : RunRequest.JUDGING) {
      Object value = config.get(name);
      if (value != null) {
        options.add("--" + name + "=" + value);
      }
    }
    return options;
  }

  /** How a history is to be read, and with which orders of versions, if any. */
  static List<String> reading(Map<String, ?> config, String certificate) {
    List<String> options = new ArrayList<>();
    if (config.get("format") != null) {
      options.add("--format=" + config.get("format"));
    }
    if (certificate != null) {
      options.add("--version-order=" + certificate);
    }
    return options;
  }

  static String memory(Map<String, ?> config) {
    Object memory = config.get("memory");
    return memory == null ? STANDARD_MEMORY : memory.toString();
  }

  private static Duration time(Map<String, Object> config, String name, String standard) {
    Object value = config.get(name);
    Matcher time = TIME.matcher(value == null ? standard : value.toString());
    if (!time.matches()) {
      return SETUP;
    }
    long number = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
