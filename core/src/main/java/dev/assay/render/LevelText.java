package dev.assay.render;

import dev.assay.Report;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.explain.Wording;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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

  /** Those that people take for stronger than all of {@link #LOOK_WEAK}. */
  private static final List<Level> LOOK_STRONG =
      List.of(
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.SERIALIZABLE,
          Level.SNAPSHOT_ISOLATION,
          Level.REPEATABLE_READ);

  private static final List<Level> LOOK_WEAK =
      List.of(
          Level.READ_COMMITTED,
          Level.READ_ATOMIC,
          Level.CAUSAL,
          Level.STRONG_READ_UNCOMMITTED,
          Level.STRONG_ADYA_READ_COMMITTED);

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

  /**
   * The verdict on a database in one sentence: {@code H2 2.5.252 promised serializable and gave
   * snapshot isolation.}
   *
   * @param database its name and version
   * @param isolation the database's name of the level it ran at
   * @param claimed what that level is said to provide
   */
  public static String promised(
      String database, String isolation, Level claimed, CheckResult result) {
    String name = database.replaceFirst(" \\([^)]*\\)$", "");
    String claim = words(claimed);
    boolean same = claim.endsWith(isolation.replaceAll("[-_]", " ").toLowerCase(Locale.ROOT));
    String subject = Wording.oneLine(name + (same ? "" : " at " + isolation));
    Verdict verdict = result.report().verdicts().get(claimed);
    if (verdict == null || !result.judged().contains(claimed) || !result.forbidden().isEmpty()) {
      return judged(subject, result);
    }
    String promise = subject + " promised " + claim;
    if (verdict instanceof Verdict.Unknown) {
      return promise + "; whether it gave it is unknown: " + verdict.why() + ".";
    }
    if (verdict instanceof Verdict.Holds) {
      return promise + " and gave it" + (result.incomplete() == null ? "." : INCOMPLETE + ".");
    }
    List<Level> below = new ArrayList<>();
    result
        .report()
        .verdicts()
        .forEach(
            (level, found) -> {
              if (found instanceof Verdict.Holds && claimed.implies(level)) {
                below.add(level);
              }
            });
    List<String> given = Level.maximal(below).stream().map(LevelText::words).toList();
    String gave =
        switch (given.size()) {
          case 0 -> "less";
          case 1 -> given.get(0);
          default -> "only part of it: " + Plain.listed(given);
        };
    return promise + " and gave " + gave + ".";
  }

  /** The verdict by levels and anomalies that were asked for instead of what was promised. */
  private static String judged(String subject, CheckResult result) {
    List<Level> violated = result.judged(Verdict.Violated.class);
    if (!violated.isEmpty()) {
      return subject + violated(result, violated) + ".";
    }
    if (!result.forbiddenFound().isEmpty()) {
      return subject + forbidden(result.forbiddenFound()) + ".";
    }
    List<Level> unknown = result.judged(Verdict.Unknown.class);
    if (!unknown.isEmpty()) {
      return subject
          + " may or may not satisfy "
          + Plain.listed(unknown)
          + ": "
          + result.report().verdict(unknown.get(0)).why()
          + ".";
    }
    if (!result.forbiddenUnknown().isEmpty()) {
      return subject + maybeForbidden(result.forbiddenUnknown()) + ".";
    }
    return subject + holds(result) + (result.incomplete() == null ? "." : INCOMPLETE + ".");
  }

  /** A level in a sentence; the family of a level is for those who read definitions. */
  private static String words(Level level) {
    return level.id().replace("adya-", "").replace('-', ' ');
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
    Set<Level> listed = EnumSet.copyOf(Level.surveyed());
    listed.addAll(Level.minimal(violated));
    for (Level level : Plain.weakestFirst(List.copyOf(listed))) {
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

  /** The weakest levels that are violated and those that were to hold; empty if there are none. */
  public static String violated(CheckResult result) {
    List<Level> weakest = result.report().weakestViolated();
    if (weakest.isEmpty()) {
      return "";
    }
    Set<Level> named = new LinkedHashSet<>();
    boolean grouped = weakest.containsAll(SESSION_GUARANTEES);
    for (Level level : Plain.weakestFirst(weakest)) {
      if (!grouped || !SESSION_GUARANTEES.contains(level)) {
        named.add(level);
      }
    }
    named.addAll(result.judged(Verdict.Violated.class));
    List<String> names = new ArrayList<>(named.stream().map(Level::id).toList());
    if (grouped) {
      names.add("the session guarantees");
    }
    Set<Level> all = EnumSet.noneOf(Level.class);
    weakest.forEach(level -> all.addAll(level.andStronger()));
    all.removeAll(named);
    return Plain.listed(names)
        + (all.isEmpty() ? "" : names.size() == 1 ? " and stronger" : ", and stronger");
  }

  /**
   * Why a level holds although one is violated that looks weaker; empty where nothing looks so.
   * Levels without session order do not imply those with it.
   */
  public static String families(Report report) {
    Level high = first(report, Verdict.Holds.class, LOOK_STRONG);
    Level low = first(report, Verdict.Violated.class, LOOK_WEAK);
    if (high == null || low == null || high.implies(low)) {
      return "";
    }
    boolean realTime = low.needsRealTime();
    return "%s can hold while %s does not: %s may reorder %s, %s may not"
        .formatted(
            high,
            low,
            high,
            realTime ? "transactions that did not overlap" : "the transactions of one session",
            low);
  }

  private static Level first(Report report, Class<? extends Verdict> kind, List<Level> levels) {
    for (Level level : levels) {
      if (kind.isInstance(report.verdicts().get(level))) {
        return level;
      }
    }
    return null;
  }

  /** What to say after the strongest levels that hold. */
  public static String weaker(List<Level> levels) {
    boolean someWeaker = levels.stream().anyMatch(l -> !l.directlyImplies().isEmpty());
    return someWeaker
        ? (levels.size() == 1 ? " and everything weaker" : ", and everything weaker")
        : "";
  }
}
