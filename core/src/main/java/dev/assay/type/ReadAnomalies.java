package dev.assay.type;

import dev.assay.level.AnomalyType;
import java.util.Set;

/** Takes the anomalies that single reads show. */
public interface ReadAnomalies {
  /** Adds an instance shown by these operations, the offending read first; −1 is left out. */
  void add(AnomalyType type, int... operations);

  /**
   * Adds an instance that is of this type, or of one of the others under another choice of writers.
   * Either way the levels that forbid all of them are violated.
   */
  void addEither(AnomalyType type, Set<AnomalyType> others, int... operations);
}
