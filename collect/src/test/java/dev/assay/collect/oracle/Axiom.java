package dev.assay.collect.oracle;

import java.util.Set;

/** The levels the oracle decides, from weak to strong. */
public enum Axiom {
  READ_COMMITTED,
  READ_ATOMIC,
  CAUSAL,
  PREFIX,
  STRONG_SESSION_SNAPSHOT_ISOLATION,
  STRONG_SESSION_SERIALIZABLE,
  /** The same with real time in the commit order. */
  STRICT_SERIALIZABLE;

  /** Whether a history with these read anomalies may still have the level. */
  boolean permits(Set<String> readAnomalies) {
    return this == READ_COMMITTED
        ? Set.of("non-repeatable-read").containsAll(readAnomalies)
        : readAnomalies.isEmpty();
  }
}
