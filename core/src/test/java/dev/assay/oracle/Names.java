package dev.assay.oracle;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.Set;

/**
 * Whether what a report lists agrees with its verdicts: no type of anomaly that a level forbids
 * which holds, and for each level that is violated something that violates it. Verdicts themselves
 * are for the oracles.
 */
public final class Names {
  /** These say what contradicts what, and are held against whichever levels that refutes. */
  private static final Set<AnomalyType> BY_INSTANCE =
      EnumSet.of(AnomalyType.CERTIFICATE_CONTRADICTION, AnomalyType.RESULT_SET_MISMATCH);

  private Names() {}

  public static void compare(Report report, Disagreements disagreements, String text) {
    Set<Level> holding = EnumSet.noneOf(Level.class);
    Set<Level> violated = EnumSet.noneOf(Level.class);
    report
        .verdicts()
        .forEach(
            (level, verdict) -> {
              if (verdict instanceof Verdict.Holds) {
                holding.addAll(level.andWeaker());
              } else if (verdict instanceof Verdict.Violated) {
                violated.add(level);
              }
            });
    for (Anomaly anomaly : report.anomalies()) {
      Set<Level> forbidding = EnumSet.copyOf(anomaly.type().forbiddenBy());
      forbidding.retainAll(holding);
      if (!forbidding.isEmpty() && !BY_INSTANCE.contains(anomaly.type())) {
        disagreements.add(anomaly.type() + " though " + Level.minimal(forbidding) + " hold", text);
      }
      Set<Level> violates = EnumSet.copyOf(anomaly.violates());
      violates.retainAll(holding);
      if (!violates.isEmpty()) {
        disagreements.add(
            anomaly.type() + " is said to violate " + Level.minimal(violates) + ", which hold",
            text);
      }
      anomaly.violates().forEach(level -> violated.removeAll(level.andStronger()));
    }
    if (!violated.isEmpty()) {
      disagreements.add(
          "nothing listed violates " + Level.minimal(violated) + ", which are violated", text);
    }
  }
}
