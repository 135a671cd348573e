package dev.assay.corpus;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What Elle's names of models, anomalies and options are called here. */
final class ElleNames {
  /** Elle's friendly names follow Adya where ours follow Biswas and Enea. */
  private static final Map<String, Level> MODELS =
      Map.of(
          "read-committed", Level.ADYA_READ_COMMITTED,
          "strong-session-read-committed", Level.STRONG_SESSION_ADYA_READ_COMMITTED,
          "strong-read-committed", Level.STRONG_ADYA_READ_COMMITTED);

  private static final Map<String, Set<AnomalyType>> ANOMALIES =
      Map.of(
          "G1a", EnumSet.of(AnomalyType.ABORTED_READ),
          "G1b", EnumSet.of(AnomalyType.INTERMEDIATE_READ),
          "duplicate-elements", EnumSet.of(AnomalyType.DUPLICATE_WRITE),
          "internal",
              EnumSet.of(
                  AnomalyType.NOT_MY_OWN_WRITE,
                  AnomalyType.NOT_MY_LAST_WRITE,
                  AnomalyType.NON_REPEATABLE_READ));

  /** Elle's options that assume something of single keys, and our names of the assumptions. */
  static final Map<String, String> ASSUMPTIONS =
      Map.of(
          "wfr-keys?", "writes-follow-reads",
          "sequential-keys?", "sequential-keys",
          "linearizable-keys?", "linearizable-keys",
          "transaction-order", "transaction-order");

  private ElleNames() {}

  /** The level of the same meaning; empty for those that no checker of ours decides. */
  static Optional<Level> level(String model) {
    Level level = MODELS.get(model);
    return (level != null ? Optional.of(level) : Level.find(model))
        .filter(Level.surveyed()::contains);
  }

  /** The anomalies of which at least one is meant; empty for what is no anomaly of a history. */
  static Set<AnomalyType> anomalies(String type) {
    boolean aboutTheSearch =
        type.endsWith("-cycle-exists")
            || type.equals("empty-transaction-graph")
            || type.equals("cycle-search-timeout");
    if (aboutTheSearch) {
      return Set.of();
    }
    Set<AnomalyType> several = ANOMALIES.get(type);
    return several != null ? several : withFewerOrders(type);
  }

  /** A cycle that needs no session order, or no real time, says more than one that does. */
  private static Set<AnomalyType> withFewerOrders(String type) {
    Set<AnomalyType> types = EnumSet.of(AnomalyType.find(type).orElseThrow());
    String plain = type.replaceAll("-(process|realtime)$", "");
    if (!plain.equals(type)) {
      types.add(AnomalyType.find(plain).orElseThrow());
      types.add(AnomalyType.find(plain + "-process").orElseThrow());
    }
    return types;
  }
}
