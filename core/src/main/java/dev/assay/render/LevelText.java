package dev.assay.render;

import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Levels and anomalies in words, as all reports say them. */
public final class LevelText {
  /** More levels than this are summed up by the weakest or strongest of them. */
  static final int MAX_LISTED = 6;

  /** What follows the levels that hold where the last look was not complete. */
  public static final String INCOMPLETE =
      " for what was read; whether every committed write survived is not known";

  /** Forbidden together so often that one name for the four is easier to read. */
  private static final List<Level> SESSION_GUARANTEES =
      List.of(
          Level.READ_YOUR_WRITES,
          Level.MONOTONIC_READS,
          Level.MONOTONIC_WRITES,
          Level.WRITES_FOLLOW_READS);

  private LevelText() {}

  /** What others call it, for people who come from their tools. */
  public static List<String> otherNames(AnomalyType type, Evidence evidence) {
    List<String> names = new ArrayList<>();
    if (type.plume() != null) {
      names.add("TAP-" + type.plume() + lessSpecific(type) + " (Plume)");
    }
    String c4 = evidence.c4(type);
    if (c4 != null) {
      names.add("TAP-" + c4.replace(", ", " and ") + " (C4)");
    }
    if (type.elle() != null && !type.elle().equals(type.id())) {
      names.add(type.elle() + " (Elle)");
    }
    return names;
  }

  /** Plume's letter for what such an instance is as well, though its own says more. */
  private static String lessSpecific(AnomalyType type) {
    return switch (type) {
      case NON_MONOTONIC_READ_CO -> " and " + AnomalyType.FRACTURED_READ_CO.plume();
      case NON_MONOTONIC_READ_CM -> " and " + AnomalyType.FRACTURED_READ_CM.plume();
      default -> "";
    };
  }

  /** That forbidden anomalies were found. */
  public static String forbidden(List<AnomalyType> found) {
    return " has "
        + Plain.listed(ids(found))
        + ", which "
        + (found.size() == 1 ? "was" : "were")
        + " forbidden";
  }

  /** Which levels are violated, and which forbidden anomalies were found besides. */
  public static String violated(CheckResult result, List<Level> violated) {
    List<AnomalyType> found = result.forbiddenFound();
    return " violates "
        + Plain.listed(violated)
        + (found.isEmpty() ? "" : " and" + forbidden(found));
  }

  /** Which levels hold, and which anomalies are absent that were forbidden. */
  public static String holds(CheckResult result) {
    List<Level> levels = result.survey() ? result.report().strongest() : result.judged();
    List<AnomalyType> absent = result.forbidden().stream().sorted().toList();
    String text = levels.isEmpty() && !absent.isEmpty() ? "" : " satisfies " + Plain.listed(levels);
    if (absent.isEmpty()) {
      return text;
    }
    return text + (text.isEmpty() ? "" : " and") + " has no " + Plain.listed(ids(absent), "or");
  }

  /** That forbidden anomalies may be there. */
  public static String maybeForbidden(List<AnomalyType> open) {
    return " may or may not have " + Plain.listed(ids(open), "or") + ": time or memory ran out";
  }

  private static List<String> ids(List<AnomalyType> types) {
    return types.stream().map(AnomalyType::id).toList();
  }

  /** All of the levels that are violated, or the weakest where they are many. */
  public static String violated(Set<Level> violated) {
    Set<Level> all = new LinkedHashSet<>();
    for (Level level : Plain.weakestFirst(Level.surveyed())) {
      if (violated.stream().anyMatch(level::implies)) {
        all.add(level);
      }
    }
    if (all.size() <= MAX_LISTED) {
      return String.join(", ", all.stream().map(Level::id).toList());
    }
    List<String> weakest = new ArrayList<>();
    List<Level> minimal = Level.minimal(all);
    boolean grouped = minimal.containsAll(SESSION_GUARANTEES);
    for (Level level : Plain.weakestFirst(minimal)) {
      if (!grouped || !SESSION_GUARANTEES.contains(level)) {
        weakest.add(level.id());
      }
    }
    if (grouped) {
      weakest.add("the session guarantees");
    }
    return Plain.listed(weakest) + ", and everything stronger";
  }

  /** What to say after the strongest levels that hold. */
  public static String weaker(List<Level> levels) {
    boolean someWeaker = levels.stream().anyMatch(l -> !l.directlyImplies().isEmpty());
    return someWeaker
        ? (levels.size() == 1 ? " and everything weaker" : ", and everything weaker")
        : "";
  }
}
