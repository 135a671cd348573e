package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Budget;
import dev.assay.check.Ledger;
import dev.assay.check.ReportedChoice;
import dev.assay.check.Verdict;
import dev.assay.history.Rewriting;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
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
final class ExhaustiveSearch {
  /** Maximum number of choices tried. */
  static final int MAX_CHOICES = 4096;

  /** Maximum number of operations checked over all choices; takes some seconds. */
  static final long MAX_OPERATIONS = 200_000;

  private ExhaustiveSearch() {}

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
   * A choice.
   *
   * @param rewriting the history as one in which the choice is visible
   * @param given what is known of the rewritten history
   * @param refuted what violates every level asked for by this choice; empty if that is to be seen
   */
  record Choice(Rewriting rewriting, Given given, List<Anomaly> refuted) {}

  static Report settle(
      Report report, Set<Level> open, Choices choices, Budget budget, Pipeline.Again again) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    Set<Level> violated = EnumSet.copyOf(open);
    ReportedChoice.Found found = new ReportedChoice.Found();
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
      ArgumentMapper back = ArgumentMapper.back(choice.rewriting());
      if (!choice.refuted().isEmpty()) {
        found.add(back.anomalies(choice.refuted()));
        continue;
      }
      Report one = again.check(choice.rewriting().rewritten(), asked, choice.given());
      asked.stream().filter(one::holds).forEach(holding::add);
      violated.removeIf(level -> !asked.contains(level) || !one.violated(level));
      found.add(back.anomalies(one.anomalies()));
    } while (!holding.containsAll(open) && choices.advance());
    if (choices.cutShort()) {
      violated.clear();
    }
    Set<Level> known = EnumSet.copyOf(report.verdicts().keySet());
    known.removeIf(level -> !report.holds(level));
    known.addAll(holding);
    List<Anomaly> against = ReportedChoice.against(violated, known, found.all());
    return settled(report, choices, holding, against);
  }

  private static Report settled(
      Report report, Choices choices, Set<Level> holding, List<Anomaly> against) {
    Map<Level, Verdict> decided = new EnumMap<>(report.verdicts());
    holding.forEach(level -> decided.put(level, new Verdict.Holds(choices.holds())));
    Ledger ledger = Ledger.of(decided, report.anomalies());
    against.forEach(ledger::found);
    List<String> notes = new ArrayList<>(report.notes());
    if (!against.isEmpty() && !notes.contains(choices.note())) {
      notes.add(choices.note());
    }
    return report.with(ledger, notes);
  }
}
