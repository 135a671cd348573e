package dev.assay.check;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * An anomaly type found in a history, with its instances.
 *
 * @param type what it is
 * @param violates the levels these instances violate; not always those that forbid the type: some
 *     may be excused, and some may have a form that further levels forbid
 * @param count the number of instances
 * @param countIsLowerBound whether there may be more than {@code count}
 * @param witnesses some of them, smallest first; at least one
 */
public record Anomaly(
    AnomalyType type,
    Set<Level> violates,
    long count,
    boolean countIsLowerBound,
    List<Evidence> witnesses) {
  public Anomaly {
    violates = Collections.unmodifiableSet(EnumSet.copyOf(violates));
    witnesses = List.copyOf(witnesses);
    if (witnesses.isEmpty()) {
      throw new IllegalArgumentException("an anomaly needs a witness");
    }
  }

  /** The same with other witnesses. */
  public Anomaly with(List<Evidence> others) {
    return new Anomaly(type, violates, count, countIsLowerBound, others);
  }

  /** These instances and others of the same type. */
  public Anomaly and(Anomaly others) {
    Set<Level> all = EnumSet.copyOf(violates);
    all.addAll(others.violates);
    List<Evidence> both = new ArrayList<>(witnesses);
    both.addAll(others.witnesses);
    boolean lowerBound = countIsLowerBound || others.countIsLowerBound;
    return new Anomaly(type, all, count + others.count, lowerBound, both);
  }

  /** Instances that violate every level that forbids the type, counted exactly. */
  public static Anomaly of(AnomalyType type, long count, List<Evidence> witnesses) {
    return new Anomaly(type, type.forbiddenBy(), count, false, witnesses);
  }
}
