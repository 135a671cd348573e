package dev.assay;

import dev.assay.check.Budget;
import dev.assay.check.Findings;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker;
import dev.assay.check.LostWrites;
import dev.assay.check.Premises;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.check.adya.KnownOrderChecker;
import dev.assay.check.mixed.MixedChecker;
import dev.assay.check.mixed.Promises;
import dev.assay.check.predicate.PredicateChecker;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.replay.TimestampChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.check.weak.WeakChecker;
import dev.assay.history.History;
import dev.assay.infer.AbsentRows;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.CertainOutcomes;
import dev.assay.resolve.Given;
import dev.assay.resolve.NamedVersions;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.KnownOrders;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The way of a history to its verdicts, one stage after the other:
 *
 * <pre>
 * resolve   which transactions count, and which write each read saw    CertainOutcomes, ReadsFrom
 *    |
 * infer     what is known of the order of versions                     VersionOrders
 *    |
 * decide    each checker decides what those before it left open        LevelChecker, Ledger
 *    |                                                                       ^
 * settle    the lattice settles what it can                            Ledger |
 *    |      levels that may settle the open ones are decided too ------------+
 *    |      choices of what was not observed are tried, where few:
 *    |        writers of repeated values                               RepeatedValues
 *    |        what conditions that failed read, first by a guess       FailedConditions
 *    |        orders of increments                                     GuessedCounters
 *    |      each choice is a history of its own, and comes in at the top again
 *    |
 * explain   what arguments rest on beside the history                  Premises
 * </pre>
 *
 * <p>Time and memory bind in every stage. What was established before they ran out stays; the rest
 * is unknown.
 */
final class Pipeline {
  /** In order: what is cheap and explains most comes first. */
  static final List<LevelChecker> CHECKERS =
      List.of(
          new ReadConsistency(),
          new LostWrites(),
          new SerialOrderChecker(),
          new TimestampChecker(),
          new PredicateChecker(),
          new KnownOrderChecker(),
          new WeakChecker(),
          new PolygraphChecker(),
          new MixedChecker());

  /** The pipeline again, for a history in which a choice was made. */
  interface Again {
    Report check(History history, Set<Level> levels, Given given);
  }

  private final CheckOptions options;
  private final Budget budget;
  private final Stages stages;
  private History history;
  private ReadsFrom reads;
  private VersionOrders versions;

  /** Whether the history is one choice of writers, which need not be chosen again. */
  private final boolean writersChosen;

  private Pipeline(CheckOptions options, boolean writersChosen) {
    this.options = options;
    this.writersChosen = writersChosen;
    this.budget = options.budget();
    this.stages = new Stages(budget);
  }

  /** Takes a history through all stages. */
  static Report run(History recorded, CheckOptions options) {
    Optional<Level> common =
        options.levels().contains(Level.MIXED) ? Promises.common(recorded) : Optional.empty();
    if (common.isEmpty()) {
      return named(recorded, options);
    }
    // All transactions ran at one level, which is decided instead.
    Set<Level> levels = EnumSet.copyOf(options.levels());
    levels.remove(Level.MIXED);
    levels.add(common.get());
    Report report = named(recorded, options.about(levels));
    return report.alsoViolating(Level.MIXED, common.get());
  }

  /** Decides a history after its version numbers were used to say what each read saw. */
  private static Report named(History recorded, CheckOptions options) {
    if (!recorded.hasVersionNumbers()) {
      return run(recorded, options, false);
    }
    NamedVersions named = NamedVersions.of(recorded);
    Report report = run(named.history(), options, false);
    return report.about(recorded, named.unclear() < 0 ? null : unclear(recorded, named.unclear()));
  }

  private static Verdict.Unknown unclear(History recorded, int read) {
    return new Verdict.Unknown(
        Verdict.Reason.AMBIGUOUS,
        ("a read of %s has no version number, and several versions have the value it saw;"
                + " nothing else violates it")
            .formatted(recorded.keys().text(recorded.key(read))));
  }

  private static Report run(History recorded, CheckOptions options, boolean writersChosen) {
    Again again =
        (history, levels, given) -> run(history, options.about(levels).given(given), writersChosen);
    if (SerialKeys.isAsked(options.levels())) {
      return SerialKeys.check(recorded, options, again);
    }
    if (SingleOperations.areAsked(options.levels())) {
      return SingleOperations.check(recorded, options, again);
    }
    Pipeline pipeline = new Pipeline(options, writersChosen);
    pipeline.history = recorded;
    try {
      return pipeline.run().of(recorded);
    } catch (OutOfMemoryError e) {
      // Memory is a budget like time.
      return pipeline.nothing(Verdict.Unknown.OUT_OF_MEMORY);
    }
  }

  private Report run() {
    history = CertainOutcomes.of(history, options.given());
    if (budget.expired()) {
      return nothing(Verdict.Unknown.TIMEOUT);
    }
    if (options.settlesOpen() && options.given().certificate().isOnlyOrder()) {
      Report replayed = replay();
      if (replayed != null) {
        return replayed;
      }
    }
    resolveAndInfer();
    if (!options.settlesOpen()) {
      return decide(options.levels());
    }
    return history.hasOtherReads() ? settleConditions() : settle();
  }

  private void resolveAndInfer() {
    Stages.Stage stage = stages.enter("infer");
    reads = AbsentRows.resolved(ReadsFrom.of(history), options.given());
    versions = new VersionOrders(history, reads, options.given());
    stage.end();
  }

  // ---- decide

  /** Asks the checkers, one after the other. */
  private Report decide(Set<Level> wanted) {
    Ledger ledger = new Ledger();
    List<String> notes = new ArrayList<>();
    Verdict.Unknown ranOut = ask(wanted, ledger, notes);
    if (ranOut != Verdict.Unknown.OUT_OF_MEMORY) {
      explain(ledger);
    }
    if (ranOut != null) {
      wanted.forEach(level -> ledger.leaveOpen(level, ranOut));
      return report(ledger, wanted, notes, null);
    }
    KnownOrders inferred = inferred(notes);
    leaveOpenWithoutTimes(wanted, ledger);
    if (options.settlesOpen()) {
      leaveOpenUnexamined(wanted, ledger);
    }
    return report(ledger, wanted, notes, inferred);
  }

  /** What ran out before all had been asked, or null. */
  private Verdict.Unknown ask(Set<Level> wanted, Ledger ledger, List<String> notes) {
    for (LevelChecker checker : options.checkers()) {
      if (budget.expired()) {
        return Verdict.Unknown.TIMEOUT;
      }
      Stages.Stage stage = stages.enter(checker.name());
      Findings found;
      try {
        found = checker.check(subject(wanted, ledger));
      } catch (OutOfMemoryError e) {
        return Verdict.Unknown.OUT_OF_MEMORY;
      }
      found.verdicts().forEach(ledger::answer);
      found.anomalies().forEach(ledger::found);
      notes.addAll(found.notes());
      stage.end(found.stages());
    }
    return null;
  }

  private LevelChecker.Subject subject(Set<Level> wanted, Ledger ledger) {
    return new LevelChecker.Subject(
        history, reads, versions, wanted, ledger.violated(), ledger.holding(), budget);
  }

  private void leaveOpenWithoutTimes(Set<Level> wanted, Ledger ledger) {
    for (Level level : wanted) {
      if (level.needsRealTime() && !history.hasTimes()) {
        ledger.leaveOpen(
            level,
            new Verdict.Unknown(Verdict.Reason.NO_REALTIME, "the history has no real-time stamps"));
      }
    }
  }

  /** What no checker answered is open because of what none of them could examine, if anything. */
  private void leaveOpenUnexamined(Set<Level> wanted, Ledger ledger) {
    if (wanted.stream().allMatch(ledger::isAnswered)) {
      return;
    }
    Verdict.Unknown open = subject(wanted, ledger).unexamined();
    if (open != null) {
      for (Level level : wanted) {
        if (Level.surveyed().contains(level)) {
          ledger.leaveOpen(level, open);
        }
      }
    }
  }

  // ---- settle

  /** Decides a history with conditions that failed, first by a guess at what they read. */
  private Report settleConditions() {
    int[] order = WeakChecker.likelyOrder(subject(options.levels(), new Ledger()));
    History guessed = FailedConditions.guess(history, order);
    Report byGuess = guessed == null ? null : run(guessed, options, false);
    if (byGuess != null && FailedConditions.decides(byGuess)) {
      return new Report(
          history, byGuess.verdicts(), List.of(), byGuess.notes(), byGuess.stageMillis());
    }
    return FailedConditions.settled(settle(), byGuess);
  }

  /** Decides, and settles what stays open in every way there is. */
  private Report settle() {
    Set<Level> wanted = options.levels();
    Report report = decideByWriters(wanted);
    Set<Level> related = related(report);
    if (!wanted.containsAll(related)) {
      related.addAll(wanted);
      Report wider = decideByWriters(related);
      // What was decided stays, even if there was no time to look further.
      report = ranOut(wider, wanted) ? report : wider.about(wanted);
    }
    Report decided = report;
    return orElse(
        decided,
        () -> GuessedCounters.settle(decided, reads, versions, budget, stages, this::byCounters));
  }

  /** Decides, with every choice of writers for values that were written more than once. */
  private Report decideByWriters(Set<Level> wanted) {
    Report report = decide(wanted);
    return writersChosen
        ? report
        : orElse(
            report, () -> RepeatedValues.settle(report, versions, budget, stages, this::byWriters));
  }

  private Report byWriters(History chosen, Set<Level> levels, Given given) {
    return run(chosen, options.about(levels).given(given), true);
  }

  private Report byCounters(History chosen, Set<Level> levels, Given given) {
    return run(chosen, options.about(levels).given(given), writersChosen);
  }

  /** What was settled further, or what is known already if memory does not suffice. */
  private static Report orElse(Report known, Supplier<Report> further) {
    try {
      return further.get();
    } catch (OutOfMemoryError e) {
      return known;
    }
  }

  private static boolean ranOut(Report report, Set<Level> levels) {
    return levels.stream()
        .anyMatch(
            level -> report.verdict(level) instanceof Verdict.Unknown open && open.isForLack());
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
              if (verdict instanceof Verdict.Unknown open && !open.isForLack()) {
                related.addAll(level.andWeaker());
                related.addAll(level.andStronger());
              }
            });
    related.retainAll(Level.surveyed());
    return related;
  }

  /**
   * What an expected serialization order proves by itself, or null where it does not prove all that
   * is asked for. Nothing needs to be resolved or inferred then.
   */
  private Report replay() {
    Stages.Stage stage = stages.enter(SerialOrderChecker.NAME);
    Ledger ledger = new Ledger();
    SerialOrderChecker.provenAlone(history, options.given(), budget).forEach(ledger::answer);
    if (!options.levels().stream().allMatch(ledger::holds)) {
      return null;
    }
    stage.end();
    return report(ledger, options.levels(), List.of(), null);
  }

  // ---- explain

  private void explain(Ledger ledger) {
    if (versions.isKnownOtherwise()) {
      ledger.explain(new Premises(reads, versions)::annotate);
    }
  }

  /** What was known of version orders through what was given; null where nothing needed that. */
  private KnownOrders inferred(List<String> notes) {
    String given = versions.given().text();
    if (given.isEmpty() || !versions.isGiven() || !versions.wereUsed()) {
      return null;
    }
    KnownOrders inferred = versions.known();
    notes.add(
        given
            + ", the version order is known for %,d %s, partly known for %,d and unknown for %,d"
                .formatted(
                    inferred.total(),
                    inferred.total() == 1 ? "key" : "keys",
                    inferred.partial(),
                    inferred.none()));
    return inferred;
  }

  private Report report(
      Ledger ledger, Set<Level> wanted, List<String> notes, KnownOrders inferred) {
    Map<Level, Verdict> verdicts = ledger.settle(wanted);
    return new Report(history, verdicts, ledger.shown(wanted), notes, stages.millis(), inferred);
  }

  private Report nothing(Verdict.Unknown reason) {
    Ledger ledger = new Ledger();
    options.levels().forEach(level -> ledger.leaveOpen(level, reason));
    return report(ledger, options.levels(), List.of(), null);
  }
}
