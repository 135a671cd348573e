package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.infer.Given;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settles what stays open because something was not observed, by going over all choices of it: a
 * level holds if it does by one of them, and is violated if it is by each.
 */
final class ByChoice {
  private ByChoice() {}

  /** What there is to choose from, and how that is said. */
  interface Choices {
    /** What is to be checked by the choice that is made; null where that choice cannot be. */
    Choice choice();

    /** Goes on to the next choice; whether there is one. */
    boolean advance();

    /** Whether choices were left out that should have been made. */
    boolean cutShort();

    /** Why a level holds. */
    String holds();

    /** What is to be known about violations that are shown. */
    String note();
  }

  /**
   * A history that makes a choice, and how to tell what was found there.
   *
   * @param refuted what violates every level asked for by this choice; empty if that is to be seen
   */
  record Choice(History history, Given given, Telling telling, List<Anomaly> refuted) {}

  interface Telling {
    List<Anomaly> told(List<Anomaly> anomalies);
  }

  static Report settle(Report report, Set<Level> open, Choices choices, Budget budget) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    Set<Level> violated = EnumSet.copyOf(open);
    List<Anomaly> shown = List.of();
    long bad = Long.MAX_VALUE;
    do {
      if (budget.expired()) {
        violated.clear();
        break;
      }
      Choice choice = choices.choice();
      if (choice == null) {
        continue;
      }
      Set<Level> asked = EnumSet.copyOf(open);
      asked.removeAll(holding);
      if (!choice.refuted().isEmpty()) {
        shown = shown.isEmpty() ? choice.refuted() : shown;
        continue;
      }
      Report one = Assay.check(choice.history(), asked, choice.given(), budget);
      asked.stream().filter(one::holds).forEach(holding::add);
      violated.removeIf(level -> !asked.contains(level) || !one.violated(level));
      if (badReads(one.anomalies()) < bad) {
        bad = badReads(one.anomalies());
        shown = choice.telling().told(one.anomalies());
      }
    } while (!holding.containsAll(open) && choices.advance());
    if (choices.cutShort()) {
      violated.clear();
    }
    return told(report, choices, holding, against(violated, shown));
  }

  /** Kinds of reads that are wrong by themselves, which nobody need have made if others will do. */
  private static long badReads(List<Anomaly> anomalies) {
    return anomalies.stream()
        .filter(anomaly -> anomaly.witnesses().get(0).edges().isEmpty())
        .count();
  }

  /** What violates these levels by one choice, as by any other something does. */
  private static List<Anomaly> against(Set<Level> violated, List<Anomaly> shown) {
    List<Anomaly> against = new ArrayList<>();
    for (Anomaly anomaly : shown) {
      Set<Level> by = EnumSet.noneOf(Level.class);
      anomaly.violates().forEach(level -> by.addAll(level.andStronger()));
      by.retainAll(violated);
      if (!by.isEmpty()) {
        against.add(new Anomaly(anomaly.type(), by, anomaly.count(), true, anomaly.witnesses()));
      }
    }
    return against;
  }

  private static Report told(
      Report report, Choices choices, Set<Level> holding, List<Anomaly> against) {
    Map<Level, Verdict> decided = new EnumMap<>(report.verdicts());
    for (Level level : holding) {
      decided.put(level, new Verdict.Holds(choices.holds()));
    }
    List<Anomaly> anomalies = new ArrayList<>(report.anomalies());
    against.forEach(anomaly -> Assay.add(anomaly, anomalies));
    List<String> notes = new ArrayList<>(report.notes());
    if (!against.isEmpty() && !notes.contains(choices.note())) {
      notes.add(choices.note());
    }
    Set<Level> wanted = report.verdicts().keySet();
    return report.with(
        Assay.settle(wanted, decided, anomalies), Assay.shown(anomalies, wanted), notes);
  }
}
