package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.LostWrites;
import dev.assay.check.Premises;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.check.adya.KnownOrderChecker;
import dev.assay.check.predicate.PredicateChecker;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.replay.TimestampChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.check.weak.WeakChecker;
import dev.assay.explain.Minimizer;
import dev.assay.explain.Smallest;
import dev.assay.format.ParseException;
import dev.assay.format.ReadOptions;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Assumption;
import dev.assay.infer.CertainOutcomes;
import dev.assay.infer.Given;
import dev.assay.infer.KnownOrders;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The whole library on one page.
 *
 * <pre>{@code
 * History history = Assay.read(Path.of("run.edn"));
 * Report report = Assay.check(history, Level.surveyed(), Budget.of(Duration.ofMinutes(1)));
 * assertThat(report.violated(Level.CUT_ISOLATION)).isFalse();
 * }</pre>
 */
public final class Assay {
  /** In order: what is cheap and explains most comes first. */
  private static final List<LevelChecker> CHECKERS =
      List.of(
          new ReadConsistency(),
          new LostWrites(),
          new SerialOrderChecker(),
          new TimestampChecker(),
          new PredicateChecker(),
          new KnownOrderChecker(),
          new WeakChecker(),
          new PolygraphChecker());

  private static final Verdict.Unknown TIMEOUT =
      new Verdict.Unknown(Verdict.Reason.TIMEOUT, "the time given ran out; see --timeout");
  private static final Verdict.Unknown OUT_OF_MEMORY =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "out of memory; give more with ASSAY_JAVA_OPTS=-Xmx8g");

  /** For a few transactions when the time for a whole history is up. */
  private static final Duration TIME_FOR_FEW = Duration.ofMillis(500);

  private Assay() {}

  /** The methods of deciding levels, in the order they are asked. */
  public static List<LevelChecker> checkers() {
    return CHECKERS;
  }

  /** Reads a history in any format. */
  public static History read(Path path) throws ParseException {
    return read(path, ReadOptions.NONE);
  }

  /** Reads a history in any format, with what is declared about it. */
  public static History read(Path path, ReadOptions options) throws ParseException {
    return SoundPredicates.required(options.read(path));
  }

  /** Decides the given levels for a history. */
  public static Report check(History history, Collection<Level> levels, Budget budget) {
    return check(history, levels, Given.NOTHING, budget);
  }

  /** Decides the given levels for a history, with what else is known or assumed about it. */
  public static Report check(
      History history, Collection<Level> levels, Given given, Budget budget) {
    return check(history, levels, given, budget, CHECKERS);
  }

  /**
   * Decides the given levels by chosen methods: {@link #checkers}, some of them or somebody else's.
   * A level that none of them decides is unknown. Only where all of ours are asked, and no others,
   * do they look beyond the given levels for one that settles it.
   */
  public static Report check(
      History history,
      Collection<Level> levels,
      Given given,
      Budget budget,
      List<LevelChecker> checkers) {
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("no level to check");
    }
    Set<Level> wanted = EnumSet.copyOf(levels);
    try {
      History certain = CertainOutcomes.of(history, given);
      return decide(certain, wanted, given, budget, checkers).of(history);
    } catch (OutOfMemoryError e) {
      // Memory is a budget like time.
      return nothing(OUT_OF_MEMORY, history, wanted, new LinkedHashMap<>());
    }
  }

  private static Report nothing(
      Verdict.Unknown reason, History history, Set<Level> wanted, Map<String, Long> stages) {
    Map<Level, Verdict> none = new EnumMap<>(Level.class);
    return cutShort(reason, history, wanted, none, List.of(), List.of(), stages);
  }

  private static Report decide(
      History history, Set<Level> wanted, Given given, Budget budget, List<LevelChecker> checkers) {
    Map<String, Long> stages = new LinkedHashMap<>();
    if (budget.expired()) {
      return nothing(TIMEOUT, history, wanted, stages);
    }
    if (checkers.equals(CHECKERS) && given.certificate().isOnlyOrder()) {
      Report replayed = replayed(history, wanted, given, budget, stages);
      if (replayed != null) {
        return replayed;
      }
    }
    long start = System.nanoTime();
    budget.enter("infer");
    ReadsFrom reads = ReadsFrom.of(history, given);
    VersionOrders versions = new VersionOrders(history, reads, given);
    lap(stages, "infer", start);
    if (!checkers.equals(CHECKERS)) {
      return judge(reads, versions, wanted, budget, checkers, stages);
    }
    Report report = judgeAll(reads, versions, wanted, budget, stages);
    Set<Level> telling = related(report);
    if (!wanted.containsAll(telling)) {
      telling.addAll(wanted);
      Report wider = judgeAll(reads, versions, telling, budget, stages);
      // What was decided stays, even if there was no time to look further.
      report =
          ranOut(wider, wanted)
              ? report
              : wider.about(wanted, Settled.shown(wider.anomalies(), wanted));
    }
    try {
      return GuessedCounters.settle(report, reads, versions, budget, stages);
    } catch (OutOfMemoryError e) {
      return report;
    }
  }

  /** What an expected serialization order proves by itself, where that is all; otherwise null. */
  private static Report replayed(
      History history, Set<Level> wanted, Given given, Budget budget, Map<String, Long> stages) {
    long start = System.nanoTime();
    budget.enter(SerialOrderChecker.NAME);
    Map<Level, Verdict> proven = SerialOrderChecker.provenAlone(history, given);
    Map<Level, Verdict> verdicts = Settled.settle(wanted, proven, List.of());
    for (Verdict verdict : verdicts.values()) {
      if (!(verdict instanceof Verdict.Holds)) {
        return null;
      }
    }
    lap(stages, SerialOrderChecker.NAME, start);
    return new Report(history, verdicts, List.of(), List.of(), stages);
  }

  private static boolean ranOut(Report report, Set<Level> levels) {
    return levels.stream().map(report::verdict).anyMatch(Assay::isForLack);
  }

  /** Whether a level is open only because time or memory ran out. */
  private static boolean isForLack(Verdict verdict) {
    return verdict instanceof Verdict.Unknown unknown
        && (unknown.reason() == Verdict.Reason.TIMEOUT
            || unknown.reason() == Verdict.Reason.MEMORY);
  }

  /**
   * The levels by which the lattice may settle those that stayed open: a weaker one that is
   * violated, or a stronger one that holds. None where time or memory ran out.
   */
  private static Set<Level> related(Report report) {
    Set<Level> related = EnumSet.noneOf(Level.class);
    report
        .verdicts()
        .forEach(
            (level, verdict) -> {
              if (verdict instanceof Verdict.Unknown && !isForLack(verdict)) {
                related.addAll(level.andWeaker());
                related.addAll(level.andStronger());
              }
            });
    related.retainAll(Level.surveyed());
    return related;
  }

  private static Report judgeAll(
      ReadsFrom reads,
      VersionOrders versions,
      Set<Level> wanted,
      Budget budget,
      Map<String, Long> stages) {
    Report report = judge(reads, versions, wanted, budget, CHECKERS, stages);
    try {
      return RepeatedValues.settle(report, versions, budget, stages);
    } catch (OutOfMemoryError e) {
      return report;
    }
  }

  private static Report judge(
      ReadsFrom reads,
      VersionOrders versions,
      Set<Level> wanted,
      Budget budget,
      List<LevelChecker> checkers,
      Map<String, Long> stages) {
    History history = reads.history();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    List<Anomaly> anomalies = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Set<Level> violated = EnumSet.noneOf(Level.class);
    long start = System.nanoTime();
    for (LevelChecker checker : checkers) {
      if (budget.expired()) {
        tellPremises(reads, versions, anomalies);
        return cutShort(TIMEOUT, history, wanted, verdicts, anomalies, notes, stages);
      }
      LevelChecker.Subject subject =
          new LevelChecker.Subject(
              history,
              reads,
              versions,
              wanted,
              EnumSet.copyOf(violated),
              holding(verdicts, violated),
              budget);
      Findings found;
      try {
        budget.enter(checker.name());
        found = checker.check(subject);
      } catch (OutOfMemoryError e) {
        // What was established before stays.
        return cutShort(OUT_OF_MEMORY, history, wanted, verdicts, anomalies, notes, stages);
      }
      found.verdicts().forEach((level, verdict) -> decide(level, verdict, verdicts));
      for (Anomaly anomaly : found.anomalies()) {
        Settled.add(anomaly, anomalies);
        violated.addAll(anomaly.violates());
      }
      notes.addAll(found.notes());
      start = lap(stages, checker.name(), start);
      // A checker's own stages are parts of its time; its name stands for the rest.
      found.stages().forEach((stage, ms) -> stages.merge(checker.name(), -ms, Long::sum));
      found.stages().forEach((stage, ms) -> stages.merge(stage, ms, Long::sum));
    }
    tellPremises(reads, versions, anomalies);
    KnownOrders inferred = inferred(versions, notes);
    leaveOpenWithoutTimes(history, wanted, verdicts);
    if (checkers.equals(CHECKERS) && !verdicts.keySet().containsAll(wanted)) {
      leaveOpenByRepeats(reads, versions, wanted, verdicts, budget);
    }
    return new Report(
        history,
        Settled.settle(wanted, verdicts, anomalies),
        Settled.shown(anomalies, wanted),
        notes,
        stages,
        inferred);
  }

  private static void tellPremises(
      ReadsFrom reads, VersionOrders versions, List<Anomaly> anomalies) {
    if (versions.isGiven()) {
      anomalies.replaceAll(new Premises(reads, versions)::tell);
    }
  }

  /** What was known of version orders through what was given; null where nobody needed that. */
  private static KnownOrders inferred(VersionOrders versions, List<String> notes) {
    String given = versions.given().text();
    if (given.isEmpty() || !versions.isGiven() || !versions.wereUsed()) {
      return null;
    }
    KnownOrders inferred = versions.known();
    notes.add(
        given
            + ", the order of versions is known of %,d %s, in part of %,d, not of %,d"
                .formatted(
                    inferred.total(),
                    inferred.total() == 1 ? "key" : "keys",
                    inferred.partial(),
                    inferred.none()));
    return inferred;
  }

  private static void leaveOpenWithoutTimes(
      History history, Set<Level> wanted, Map<Level, Verdict> verdicts) {
    for (Level level : wanted) {
      if (level.needsRealTime() && !history.hasTimes()) {
        verdicts.putIfAbsent(
            level,
            new Verdict.Unknown(Verdict.Reason.NO_REALTIME, "the history has no real-time stamps"));
      }
    }
  }

  /** Checkers that cannot tell who wrote what was written more than once leave that to others. */
  private static void leaveOpenByRepeats(
      ReadsFrom reads,
      VersionOrders versions,
      Set<Level> wanted,
      Map<Level, Verdict> verdicts,
      Budget budget) {
    Verdict.Unknown open =
        new LevelChecker.Subject(
                reads.history(), reads, versions, wanted, Set.of(), Set.of(), budget)
            .unexamined();
    if (open != null && open.reason() == Verdict.Reason.AMBIGUOUS) {
      for (Level level : wanted) {
        if (Level.surveyed().contains(level)) {
          verdicts.putIfAbsent(level, open);
        }
      }
    }
  }

  /** The smallest part that still violates a level, with nothing assumed. */
  public static Smallest shrink(Report report, Level level, Set<AnomalyType> types, Budget budget) {
    return shrink(report, Assumption.DEFAULT, level, types, budget);
  }

  /**
   * The smallest part of a history that still violates a level: its transactions and operations are
   * some of the history's, and none of them can be left out.
   *
   * @param report what {@link #check} says of the history for this level alone
   * @param assumptions what it was allowed to assume
   * @param level the level, which the report must find violated
   * @param types the anomalies to choose from, of those in the report; all of them if empty
   * @param budget time that is left; when it ends, the part may be larger than needed, but where
   *     the transactions of a witness are enough it is no larger than these
   */
  public static Smallest shrink(
      Report report,
      Set<Assumption> assumptions,
      Level level,
      Set<AnomalyType> types,
      Budget budget) {
    if (!report.violated(level)) {
      throw new IllegalArgumentException(level + " is not violated");
    }
    List<Anomaly> anomalies =
        report.anomalies().stream()
            .filter(anomaly -> types.isEmpty() || types.contains(anomaly.type()))
            .toList();
    if (anomalies.isEmpty() && !types.isEmpty()) {
      throw new IllegalArgumentException("no anomaly of " + types + " violates " + level);
    }
    Given given = new Given(assumptions, VersionCertificate.NONE);
    Minimizer.Judge judge =
        (part, type) -> {
          boolean few = part.transactionCount() <= Minimizer.FEW;
          Budget own = few && budget.expired() ? Budget.of(TIME_FOR_FEW) : budget;
          Report judged = check(part, Set.of(level), given, own);
          return type == null ? judged.violated(level) : shows(judged, type);
        };
    return new Minimizer(report.history(), judge, budget).of(anomalies);
  }

  private static boolean shows(Report report, AnomalyType type) {
    return report.anomalies().stream().anyMatch(anomaly -> anomaly.type() == type);
  }

  /** A decision replaces the lack of one, and stays. */
  private static void decide(Level level, Verdict verdict, Map<Level, Verdict> verdicts) {
    if (!(verdicts.get(level) instanceof Verdict.Holds)
        && !(verdicts.get(level) instanceof Verdict.Violated)) {
      verdicts.put(level, verdict);
    }
  }

  private static Set<Level> holding(Map<Level, Verdict> verdicts, Set<Level> violated) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    verdicts.forEach(
        (level, verdict) -> {
          if (verdict instanceof Verdict.Holds && !violated.contains(level)) {
            holding.addAll(level.andWeaker());
          }
        });
    return holding;
  }

  /** What was established before time or memory ran out; all else is unknown. */
  private static Report cutShort(
      Verdict.Unknown reason,
      History history,
      Set<Level> wanted,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies,
      List<String> notes,
      Map<String, Long> stages) {
    for (Level level : wanted) {
      verdicts.putIfAbsent(level, reason);
    }
    return new Report(
        history,
        Settled.settle(wanted, verdicts, anomalies),
        Settled.shown(anomalies, wanted),
        notes,
        stages);
  }

  static long lap(Map<String, Long> stages, String stage, long start) {
    long now = System.nanoTime();
    stages.merge(stage, (now - start) / 1_000_000, Long::sum);
    return now;
  }
}
