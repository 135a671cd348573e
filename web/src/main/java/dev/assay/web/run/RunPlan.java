package dev.assay.web.run;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.runs.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The steps of a run: each is a command of Assay, run in its own process. */
public final class RunPlan {
  /** The environment variable that hands a password to a child process. */
  static final String PASSWORD_VARIABLE = "ASSAY_RUN_PASSWORD";

  private static final Duration SETUP = Duration.ofMinutes(15);
  private static final Duration LONGEST = Duration.ofHours(24);

  /** What is repeated is ended after this long, whatever was asked for. */
  private static final Duration LONGEST_HUNT = Duration.ofDays(3650);

  private static final Duration GRACE = Duration.ofMinutes(1);

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
  public static String historyFile(RunConfig config) {
    return config.has(Parameters.FILE) ? config.given(Parameters.FILE) : RunFolder.HISTORY;
  }

  /** The file with the orders of versions, in the folder of the run, or null. */
  public static String certificateFile(RunConfig config) {
    if (config.isSet(Parameters.WHITE_BOX)) {
      return historyFile(config) + RunFolder.CERTIFICATE_ENDING;
    }
    return config.has(Parameters.CERTIFICATE) ? config.given(Parameters.CERTIFICATE) : null;
  }

  /** The checkers of a run; the verdict of the first is that of the run. */
  public static List<String> checkers(RunConfig config) {
    return config.items(Parameters.CHECKERS);
  }

  /** The file with what a checker found, in the folder of the run. */
  public static String verdictFile(String checker, RunConfig config) {
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
    RunConfig config = run.config();
    List<Step> steps = new ArrayList<>();
    Duration limit = config.get(Parameters.TIMEOUT).plus(GRACE);
    List<String> checkers = new ArrayList<>(checkers(config));
    if (isJudgedWhileRunning(config)) {
      steps.add(run(config, plugins));
      checkers.remove(0);
    } else if (config.source() != Source.UPLOAD) {
      List<String> arguments = making(config);
      arguments.addAll(plugins(config, plugins));
      arguments.add("--out=" + historyFile(config));
      if (config.source().isLive()) {
        // A run that was cut off begins again.
        arguments.add("--force");
        limit = recording(config);
      }
      steps.add(new Step(arguments.get(0), null, arguments, "output.txt", samplesFile(), limit));
    }
    for (String checker : checkers) {
      steps.add(check(config, checker, plugins));
    }
    return steps;
  }

  /** Whether the first checker judges the run while it goes on. */
  private static boolean isJudgedWhileRunning(RunConfig config) {
    return config.source().isLive()
        && checkers(config).get(0).equals(Parameters.CHECKER_NAMES.get(0));
  }

  /** Runs a workload and judges it. */
  private static Step run(RunConfig config, String plugins) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(target(config));
    arguments.addAll(plugins(config, plugins));
    arguments.addAll(options(config));
    arguments.addAll(live(config));
    arguments.addAll(judging(config));
    // A run that was cut off begins again.
    arguments.addAll(
        List.of(
            "--out=" + historyFile(config),
            "--force",
            "--output=json",
            "--report=" + RunFolder.REPORT));
    return new Step(
        "run",
        checkers(config).get(0),
        arguments,
        RunFolder.VERDICT,
        samplesFile(),
        allAttempts(config, recording(config).plus(config.get(Parameters.TIMEOUT))));
  }

  /** A number of transactions without a duration ends by itself, at some time. */
  private static Duration recording(RunConfig config) {
    boolean timed = config.has(Parameters.DURATION) || !config.has(Parameters.TRANSACTIONS);
    return (timed ? config.get(Parameters.DURATION) : LONGEST).plus(SETUP);
  }

  private static Duration allAttempts(RunConfig config, Duration one) {
    int attempts = config.get(Parameters.REPEAT);
    return attempts > LONGEST_HUNT.dividedBy(one) ? LONGEST_HUNT : one.multipliedBy(attempts);
  }

  private static Step check(RunConfig config, String checker, String plugins) {
    List<String> arguments = new ArrayList<>(List.of("check", historyFile(config)));
    arguments.addAll(reading(config, certificateFile(config)));
    if (config.source() == Source.UPLOAD) {
      arguments.add("--untrusted");
    }
    arguments.addAll(judging(config));
    arguments.add("--output=json");
    if (!checker.equals(Parameters.CHECKER_NAMES.get(0))) {
      arguments.add("--checker=" + checker);
      if (plugins != null && !Parameters.CHECKER_NAMES.contains(checker)) {
        arguments.add("--plugins=" + plugins);
      }
    }
    if (checkers(config).get(0).equals(checker)) {
      arguments.add("--report=" + RunFolder.REPORT);
    }
    return new Step(
        "check with " + checker,
        checker,
        arguments,
        verdictFile(checker, config),
        samplesFile(checker),
        config.get(Parameters.TIMEOUT).plus(GRACE));
  }

  /** The command that makes the history of a run, without the file it goes to. */
  static List<String> making(RunConfig config) {
    List<String> arguments = new ArrayList<>();
    arguments.add(config.source() == Source.SYNTHETIC ? "generate" : "record");
    arguments.addAll(target(config));
    arguments.addAll(options(config));
    return arguments;
  }

  static List<String> target(RunConfig config) {
    List<String> target = new ArrayList<>();
    String version = config.given(Parameters.VERSION);
    if (config.source().isLive()) {
      String database = config.given(Parameters.DATABASE);
      target.add(version.isEmpty() ? database : database + "@" + version);
    }
    if (config.source() == Source.JDBC) {
      target.addAll(List.of(config.given(Parameters.URL).split("\\s+")));
    }
    return target;
  }

  /** A client of a plug-in needs the folder. */
  private static List<String> plugins(RunConfig config, String folder) {
    boolean own =
        !config.source().isLive() || Databases.byId(config.given(Parameters.DATABASE)).isPresent();
    return own || folder == null ? List.of() : List.of("--plugins=" + folder);
  }

  /** The options of a workload, each as one word, so that no value can be taken for an option. */
  static List<String> options(RunConfig config) {
    List<String> options = words(config, Group.WORKLOAD, Group.RECORDING);
    if (!config.has(Parameters.FAULTS)) {
      options.removeIf(word -> word.startsWith("--" + Parameters.FAULTS_EVERY));
      options.removeIf(word -> word.startsWith("--" + Parameters.FAULTS_FOR));
    }
    if (config.has(Parameters.USER)) {
      options.add("--user=" + config.given(Parameters.USER));
    }
    if (config.has(Parameters.PASSWORD)) {
      options.add("--password-env=" + PASSWORD_VARIABLE);
    }
    return options;
  }

  static List<String> live(RunConfig config) {
    return words(config, Group.LIVE);
  }

  static List<String> judging(RunConfig config) {
    return words(config, Group.CHECK);
  }

  private static List<String> words(RunConfig config, Group... groups) {
    List<String> words = new ArrayList<>();
    for (Parameter<?> parameter : Parameters.of(groups)) {
      String value = config.given(parameter);
      boolean implied = parameter.hasOneDefault() && value.equals(parameter.standard(Use.RUN));
      if (!value.isEmpty()
          && !implied
          && parameter.isOption()
          && parameter.isFor(config.source())) {
        words.add("--" + parameter.id() + (parameter.isFlag() ? "" : "=" + value));
      }
    }
    return words;
  }

  /** How a history is to be read, and with which orders of versions, if any. */
  static List<String> reading(RunConfig config, String certificate) {
    List<String> options = new ArrayList<>();
    if (config.has(Parameters.FORMAT)) {
      options.add("--format=" + config.given(Parameters.FORMAT));
    }
    if (certificate != null) {
      options.add("--version-order=" + certificate);
    }
    return options;
  }
}
