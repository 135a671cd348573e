package dev.assay.collect.workload;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How often a predicate workload does what, in parts of their sum. */
public final class PredicateShares {
  /** What a client does in one step. */
  public enum Step {
    /** Inserts a row, or changes the one that is there. */
    INSERT(10),
    /** Sets the value of a row by its key. */
    UPDATE(20),
    /** Reads a row by its key. */
    READ(30),
    /** Adds one to the value of a row. */
    INCREMENT(10),
    /** Reads the rows in a range of values, of keys, or of both. */
    RANGE(15),
    /** Asks for the smallest or the largest value of a range of keys. */
    MINMAX(5),
    /** Changes all rows in a range. */
    PREDICATE_UPDATE(8),
    /** Deletes all rows in a small range. */
    PREDICATE_DELETE(2);

    private final int standard;

    Step(int standard) {
      this.standard = standard;
    }

    /** The name used on the command line. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final Step[] STEPS = Step.values();
  private static final int LARGEST = 1_000_000;

  private final Map<Step, Integer> parts;
  private final int sum;

  private PredicateShares(Map<Step, Integer> parts) {
    this.parts = parts;
    this.sum = parts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The shares when none are given. */
  public static PredicateShares standard() {
    Map<Step, Integer> parts = new EnumMap<>(Step.class);
    for (Step step : STEPS) {
      parts.put(step, step.standard);
    }
    return new PredicateShares(parts);
  }

  /**
   * Reads {@code insert=10,read=30}; what is not named is not done.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  public static PredicateShares parse(String text) {
    Map<Step, Integer> parts = new EnumMap<>(Step.class);
    for (String item : text.split(",", -1)) {
      String[] sides = item.strip().split("=", -1);
      if (sides.length != 2) {
        throw new IllegalArgumentException(
            "a share is written as in range=15, not '%s'".formatted(item.strip()));
      }
      Step step = step(sides[0].strip());
      if (parts.put(step, part(step, sides[1].strip())) != null) {
        throw new IllegalArgumentException("the share of %s is given twice".formatted(step.id()));
      }
    }
    PredicateShares shares = new PredicateShares(parts);
    if (shares.sum == 0) {
      throw new IllegalArgumentException("all shares are 0, so there is nothing to do");
    }
    return shares;
  }

  private static Step step(String name) {
    List<String> known = new ArrayList<>();
    for (Step step : STEPS) {
      if (step.id().equalsIgnoreCase(name)) {
        return step;
      }
      known.add(step.id());
    }
    throw new IllegalArgumentException(
        "there is no step '%s'; choose from %s".formatted(name, String.join(", ", known)));
  }

  private static int part(Step step, String text) {
    int part;
    try {
      part = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      part = -1;
    }
    if (part < 0 || part > LARGEST) {
      throw new IllegalArgumentException(
          "the share of %s must be a whole number from 0 to %d, not '%s'"
              .formatted(step.id(), LARGEST, text));
    }
    return part;
  }

  /** Draws a step. */
  Step draw(SplitMix random) {
    int place = random.below(sum);
    for (Map.Entry<Step, Integer> entry : parts.entrySet()) {
      place -= entry.getValue();
      if (place < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("the shares do not add up");
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    List<String> items = new ArrayList<>();
    parts.forEach((step, part) -> items.add(step.id() + "=" + part));
    return String.join(",", items);
  }
}
