package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Ledger;
import dev.assay.check.Verdict;
import dev.assay.check.linear.OrderedKeys;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether one serial order explains every read and respects sessions and real time on each
 * key: as serializability of a history in which that order can be read ({@link OrderedKeys}). Where
 * the lattice settles it, nothing else is asked.
 */
final class SerialKeys {
  private static final Level LEVEL = Level.SERIALIZABLE_LINEARIZABLE_KEYS;

  private static final Verdict.Unknown NO_TIMES =
      new Verdict.Unknown(Verdict.Reason.NO_REALTIME, "the history has no real-time stamps");

  private static final Verdict HOLDS =
      new Verdict.Holds(
          "a serial order that respects sessions and real time on each key explains every read");

  private static final Verdict.Unknown UNCLEAR =
      new Verdict.Unknown(
          Verdict.Reason.AMBIGUOUS,
          "it is open which increments of unknown outcome applied, or which reads saw a value that"
              + " was loaded; nothing else violates it");

  private SerialKeys() {}

  static boolean isAsked(Set<Level> levels) {
    return levels.contains(LEVEL);
  }

  /** Decides it, and the levels that are asked for beside it. */
  static Report check(History history, CheckOptions options, Pipeline.Again again) {
    Given given = options.given();
    Verdict.Unknown problem = problem(history, given);
    Set<Level> others = EnumSet.copyOf(options.levels());
    others.remove(LEVEL);
    if (problem != null) {
      others.add(Level.SERIALIZABLE);
      others.add(Level.STRICT_SERIALIZABLE);
    }
    Report report =
        others.isEmpty()
            ? new Report(history, Map.of(), List.of(), List.of(), Map.of())
            : again.check(history, others, given);
    Map<String, Long> stages = report.stageMillis();
    Ledger ledger = Ledger.of(report.verdicts(), report.anomalies());
    report.verdicts().forEach((level, verdict) -> settle(level, verdict, ledger));
    List<String> notes = new ArrayList<>(report.notes());
    if (ledger.isOpen(LEVEL) && problem != null) {
      ledger.leaveOpen(LEVEL, problem);
    } else if (ledger.isOpen(LEVEL)) {
      OrderedKeys ordered = OrderedKeys.of(history);
      Report found = again.check(ordered.rewritten(), Set.of(Level.SERIALIZABLE), without(given));
      take(found, ordered, history.hasTimes(), ledger);
      if (!ledger.isAnswered(LEVEL) && ledger.isOpen(LEVEL)) {
        Report strict = again.check(history, Set.of(Level.STRICT_SERIALIZABLE), given);
        ledger.answer(LEVEL, strict.holds(Level.STRICT_SERIALIZABLE) ? HOLDS : UNCLEAR);
      }
      if (given.isNothing()) {
        found.notes().stream().filter(note -> !report.notes().contains(note)).forEach(notes::add);
      }
      stages = report.stageMillis().isEmpty() ? found.stageMillis() : stages;
    }
    // The ledger replaces what is open.
    return report
        .withStages(stages)
        .alsoAbout(LEVEL, problem == null ? NO_TIMES : problem)
        .with(ledger, notes)
        .about(options.levels());
  }

  /** The ledger knows what implies it, and not that it implies others. */
  private static void settle(Level other, Verdict verdict, Ledger ledger) {
    if (verdict instanceof Verdict.Violated && LEVEL.implies(other)) {
      ledger.answer(LEVEL, verdict);
    }
  }

  private static void take(Report found, OrderedKeys ordered, boolean timed, Ledger ledger) {
    Verdict verdict = found.verdict(Level.SERIALIZABLE);
    if (verdict instanceof Verdict.Violated violated) {
      List<Anomaly> anomalies = ordered.back(found.anomalies());
      anomalies.forEach(ledger::found);
      if (anomalies.isEmpty()) {
        ledger.answer(LEVEL, new Verdict.Violated(List.of(), violated.why()));
      }
    } else if (verdict instanceof Verdict.Unknown unknown) {
      ledger.answer(LEVEL, unknown);
    } else if (!timed) {
      ledger.answer(LEVEL, NO_TIMES);
    } else if (!ordered.allowsMore()) {
      ledger.answer(LEVEL, HOLDS);
    }
  }

  /** Why only levels that imply it, or that it implies, can decide it; or null. */
  private static Verdict.Unknown problem(History history, Given given) {
    if (history.uses(OpKind.Type.PREDICATE)) {
      return new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED, "predicate operations are not on single keys");
    }
    boolean aboutTransactions =
        given.certificate() != VersionCertificate.NONE
            || given.assumes(Assumption.TIMESTAMPS)
            || given.assumes(Assumption.TRANSACTION_ORDER);
    return aboutTransactions
        ? new Verdict.Unknown(
            Verdict.Reason.UNSUPPORTED,
            "it is not decided with a certificate, timestamps or a given order; ask for it without"
                + " them")
        : null;
  }

  /** What the level demands need not be assumed, and the transactions have lost their sessions. */
  private static Given without(Given given) {
    Set<Assumption> others = EnumSet.copyOf(given.assumptions());
    others.remove(Assumption.LINEARIZABLE_KEYS);
    others.remove(Assumption.SEQUENTIAL_KEYS);
    return new Given(others, given.certificate());
  }
}
