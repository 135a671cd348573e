package dev.assay.explain;

import dev.assay.check.Anomaly;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;
import java.util.Set;

/**
 * One thing that went wrong in a history, however many anomalies show it: a cycle that has two
 * names is one cause with two names. {@link Causes#of} finds them.
 *
 * @param anomaly the anomaly that tells it best
 * @param witness the instance to show, one of the witnesses of {@code anomaly}
 * @param names everything it is called in the report, {@code anomaly} first
 * @param decides whether it is among the reasons for a failure
 * @param violates all levels that it violates
 * @param story what happened, in plain words
 */
public record Cause(
    Anomaly anomaly,
    Evidence witness,
    List<AnomalyType> names,
    boolean decides,
    Set<Level> violates,
    Story story) {
  public Cause {
    names = List.copyOf(names);
    violates = Set.copyOf(violates);
  }

  /** How often it was seen; {@link Anomaly#countIsLowerBound} may say at least. */
  public long count() {
    return anomaly.count();
  }
}
