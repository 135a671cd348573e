package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.ByElement;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Given;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.WriterChoices;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settles what stays open because values were written more than once, by going over all choices of
 * writers where these are few: a level holds if it does by one of them, and is violated if it is by
 * each. Checkers that choose writers themselves leave out those that make a read inconsistent; some
 * levels allow these.
 */
final class RepeatedValues {
  private static final long MOST_CHOICES = 4096;

  /** So many operations are looked at in all; some seconds. */
  private static final long MOST_WORK = 200_000;

  private RepeatedValues() {}

  static Report settle(
      Report report, VersionOrders versions, Budget budget, Map<String, Long> stages) {
    Set<Level> open = report.open(Verdict.Reason.AMBIGUOUS);
    History history = report.history();
    if (open.isEmpty()
        || history.operationCount() > MOST_WORK
        || history.uses(OpKind.Type.PREDICATE)
        || versions.given().certificate() != VersionCertificate.NONE) {
      return report;
    }
    long start = System.nanoTime();
    budget.enter("repeated values");
    Report settled = report;
    for (WriterChoices.Sources sources : WriterChoices.Sources.values()) {
      Set<Level> asked = EnumSet.copyOf(open);
      asked.removeIf(level -> sources(level) != sources);
      if (!asked.isEmpty()) {
        WriterChoices choices = new WriterChoices(history, sources);
        long count = choices.count(MOST_CHOICES);
        if (count <= MOST_CHOICES && count * history.operationCount() <= MOST_WORK) {
          settled = settle(settled, asked, choices, versions.given(), budget);
        }
      }
    }
    Assay.lap(stages, "repeated values", start);
    return settled;
  }

  /** Reads of other writes violate the level by themselves. */
  private static WriterChoices.Sources sources(Level level) {
    if (AnomalyType.INTERMEDIATE_READ.forbiddenBy().contains(level)) {
      return WriterChoices.Sources.FINAL;
    }
    return AnomalyType.ABORTED_READ.forbiddenBy().contains(level)
        ? WriterChoices.Sources.COMMITTED
        : WriterChoices.Sources.ANY;
  }

  private static Report settle(
      Report report, Set<Level> open, WriterChoices choices, Given given, Budget budget) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    Set<Level> violated = EnumSet.copyOf(open);
    List<Anomaly> shown = null;
    do {
      if (budget.expired()) {
        violated.clear();
        break;
      }
      if (!choices.isPossible()) {
        continue;
      }
      Set<Level> asked = EnumSet.copyOf(open);
      asked.removeAll(holding);
      WriterChoices.Told told = choices.told();
      Report one = Assay.check(told.history(), asked, given, budget);
      asked.stream().filter(one::holds).forEach(holding::add);
      violated.removeIf(level -> !asked.contains(level) || !one.violated(level));
      if (shown == null || badReads(one.anomalies()) < badReads(shown)) {
        shown = ByElement.told(one.anomalies(), report.history(), told);
      }
    } while (!holding.containsAll(open) && choices.advance());
    return told(report, holding, violated.isEmpty() ? List.of() : against(violated, shown));
  }

  /** Kinds of reads that are wrong by themselves, which nobody need have made if others will do. */
  private static long badReads(List<Anomaly> anomalies) {
    return anomalies.stream()
        .filter(anomaly -> anomaly.witnesses().get(0).edges().isEmpty())
        .count();
  }

  /** What violates these levels by one choice of writers, as by any other something does. */
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

  private static Report told(Report report, Set<Level> holding, List<Anomaly> against) {
    Map<Level, Verdict> decided = new EnumMap<>(report.verdicts());
    for (Level level : holding) {
      decided.put(level, new Verdict.Holds("some choice of writers satisfies every read"));
    }
    List<Anomaly> anomalies = new ArrayList<>(report.anomalies());
    against.forEach(anomaly -> Assay.add(anomaly, anomalies));
    List<String> notes = new ArrayList<>(report.notes());
    if (!against.isEmpty() && !notes.contains(ReadConsistency.ONE_CHOICE)) {
      notes.add(ReadConsistency.ONE_CHOICE);
    }
    Set<Level> wanted = report.verdicts().keySet();
    return report.with(
        Assay.settle(wanted, decided, anomalies), Assay.shown(anomalies, wanted), notes);
  }
}
