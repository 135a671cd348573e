package dev.assay;

import dev.assay.check.Budget;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long each stage took, in the order in which they began. */
final class Stages {
  private final Map<String, Long> millis = new LinkedHashMap<>();
  private final Budget budget;

  Stages(Budget budget) {
    this.budget = budget;
  }

  /** A stage, entered; {@link Stage#end} ends it. */
  Stage enter(String name) {
    budget.enter(name);
    return new Stage(name, System.nanoTime());
  }

  /** A stage that is under way. */
  final class Stage {
    private final String name;
    private final long start;

    private Stage(String name, long start) {
      this.name = name;
      this.start = start;
    }

    void end() {
      end(Map.of());
    }

    /** Ends a stage that had parts: its own name covers the rest of its time. */
    void end(Map<String, Long> parts) {
      millis.merge(name, (System.nanoTime() - start) / 1_000_000, Long::sum);
      parts.forEach((part, ms) -> millis.merge(name, -ms, Long::sum));
      parts.forEach((part, ms) -> millis.merge(part, ms, Long::sum));
    }
  }

  Map<String, Long> millis() {
    return millis;
  }
}
