package dev.assay.collect.config;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.record.FaultPlan.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a plan of faults: a YAML list of steps such as {@code at 5s partition replica 1 for 2s}, or
 * {@code at 5s partition primary|replicas} and later {@code at 9s heal}. Steps may also share a
 * line, with semicolons between them.
 */
final class FaultSteps {
  private static final Pattern STEP =
      Pattern.compile(
          "(?:-\\s+)?at\\s+(?<at>\\w+)\\s+(?<kind>[a-z-]+)"
              + "(?:\\s+(?!for\\b)(?<where>[a-z][a-z0-9 ,|]*?))?(?:\\s+for\\s+(?<for>\\w+))?");
  private static final Pattern HEAL = Pattern.compile("(?:-\\s+)?(?:at\\s+(?<at>\\w+)\\s+)?heal");

  private static final ValueType<Duration> TIME = ValueType.time();

  private final Duration lasting;
  private final List<Duration> heals = new ArrayList<>();

  /** Without a duration where the plan gives none. */
  private final List<Step> steps = new ArrayList<>();

  private FaultSteps(Duration lasting) {
    this.lasting = lasting;
  }

  static List<Step> read(String file, Duration lasting) {
    try {
      return parse(Files.readAllLines(Path.of(file)), file, lasting);
    } catch (IOException e) {
      throw new UsageException("--fault-plan: cannot read " + file);
    }
  }

  static List<Step> parse(List<String> lines, String file, Duration lasting) {
    FaultSteps reader = new FaultSteps(lasting);
    for (int i = 0; i < lines.size(); i++) {
      for (String part : lines.get(i).replaceFirst("#.*", "").split(";")) {
        try {
          reader.read(part.strip());
        } catch (UsageException e) {
          throw new UsageException(
              "--fault-plan: %s, line %d: %s".formatted(file, i + 1, e.getMessage()));
        }
      }
    }
    if (reader.steps.isEmpty()) {
      throw new UsageException("--fault-plan: " + file + " has no steps");
    }
    return reader.finished();
  }

  private void read(String text) {
    if (text.isEmpty() || text.equals("---")) {
      return;
    }
    Matcher heal = HEAL.matcher(text);
    if (heal.matches()) {
      String at = heal.group("at");
      heals.add(at == null ? end() : TIME.parse(at));
    } else {
      read(STEP.matcher(text), text);
    }
  }

  /** When the step before this one ends. */
  private Duration end() {
    if (steps.isEmpty()) {
      throw new UsageException("there is nothing to heal; write at 5s heal");
    }
    Step last = steps.get(steps.size() - 1);
    return last.at().plus(last.lasting() == null ? lasting : last.lasting());
  }

  private void read(Matcher step, String text) {
    if (!step.matches()) {
      throw new UsageException(
          "'" + text + "' is not a step; write at 5s partition replica 1 for 2s");
    }
    FaultKind kind = ValueType.oneOf("fault", FaultKind.class).parse(step.group("kind"));
    String where = step.group("where");
    if (where != null) {
      where = where.strip().replaceAll("\\s*([,|])\\s*", "$1").replaceAll("\\s+", " ");
      long bars = where.chars().filter(c -> c == '|').count();
      if (bars > 0 && kind == FaultKind.PARTITION) {
        kind = FaultKind.HALVES;
      }
      if (bars != (kind == FaultKind.HALVES ? 1 : 0)) {
        throw new UsageException("a partition has two sides: partition primary|replicas");
      }
    }
    Duration lasts = step.group("for") == null ? null : TIME.parse(step.group("for"));
    steps.add(new Step(TIME.parse(step.group("at")), kind, where, lasts));
  }

  /** Steps end when the plan says so, or else when all is healed next. */
  private List<Step> finished() {
    List<Step> finished = new ArrayList<>();
    for (Step step : steps) {
      Optional<Duration> heal =
          heals.stream()
              .filter(at -> at.compareTo(step.at()) > 0)
              .min(Comparator.naturalOrder())
              .map(at -> at.minus(step.at()));
      Duration said = step.lasting();
      Duration lasts =
          said == null
              ? heal.orElse(lasting)
              : heal.filter(until -> until.compareTo(said) < 0).orElse(said);
      finished.add(new Step(step.at(), step.kind(), step.where(), lasts));
    }
    finished.sort(Comparator.comparing(Step::at));
    return finished;
  }
}
