package dev.assay.collect.config;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.record.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a plan of faults: a YAML list of steps such as {@code at 5s partition replica 1 for 2s}.
 */
final class FaultSteps {
  private static final Pattern STEP =
      Pattern.compile(
          "(?:-\\s+)?at\\s+(?<at>\\w+)\\s+(?<kind>[a-z-]+)"
              + "(?:\\s+(?!for\\b)(?<node>[a-z]+(?:\\s+\\d+)?))?(?:\\s+for\\s+(?<for>\\w+))?");

  private FaultSteps() {}

  static List<FaultPlan.Step> read(String file, Duration lasting) {
    try {
      return parse(Files.readAllLines(Path.of(file)), file, lasting);
    } catch (IOException e) {
      throw new UsageException("--fault-plan: cannot read " + file);
    }
  }

  static List<FaultPlan.Step> parse(List<String> lines, String file, Duration lasting) {
    List<FaultPlan.Step> steps = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (line.isEmpty() || line.equals("---")) {
        continue;
      }
      try {
        steps.add(step(line, lasting));
      } catch (UsageException e) {
        throw new UsageException(
            "--fault-plan: %s, line %d: %s".formatted(file, i + 1, e.getMessage()));
      }
    }
    if (steps.isEmpty()) {
      throw new UsageException("--fault-plan: " + file + " has no steps");
    }
    steps.sort(Comparator.comparing(FaultPlan.Step::at));
    return steps;
  }

  private static FaultPlan.Step step(String line, Duration lasting) {
    Matcher step = STEP.matcher(line);
    if (!step.matches()) {
      throw new UsageException(
          "'" + line + "' is not a step; write at 5s partition replica 1 for 2s");
    }
    ValueType<Duration> time = ValueType.time();
    String node = step.group("node");
    return new FaultPlan.Step(
        time.parse(step.group("at")),
        ValueType.oneOf("fault", FaultKind.class).parse(step.group("kind")),
        node == null ? null : node.replaceAll("\\s+", " "),
        step.group("for") == null ? lasting : time.parse(step.group("for")));
  }
}
