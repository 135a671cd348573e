package dev.assay.check.strong;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;

/**
 * The name of an argument that some transactions have no order. The steps of its cycle do not tell:
 * an inferred step rests on other cycles, which may need more than the cycle itself. So the weakest
 * level that the transactions violate decides.
 */
final class CycleName {
  private CycleName() {}

  /** The name of an argument against a level, where the transactions violate none weaker. */
  static AnomalyType of(Level level) {
    return switch (level) {
      case READ_UNCOMMITTED -> AnomalyType.G0;
      case STRONG_SESSION_READ_UNCOMMITTED -> AnomalyType.G0_PROCESS;
      case STRONG_READ_UNCOMMITTED -> AnomalyType.G0_REALTIME;
      case ADYA_READ_COMMITTED, CURSOR_STABILITY -> AnomalyType.G1C;
      case STRONG_SESSION_ADYA_READ_COMMITTED -> AnomalyType.G1C_PROCESS;
      case STRONG_ADYA_READ_COMMITTED -> AnomalyType.G1C_REALTIME;
      case CONSISTENT_VIEW -> AnomalyType.G_SINGLE_ITEM;
      case PARALLEL_SNAPSHOT_ISOLATION, UPDATE_ATOMIC -> AnomalyType.G_SINGLE_ITEM_PROCESS;
      case STRONG_CONSISTENT_VIEW -> AnomalyType.G_SINGLE_ITEM_REALTIME;
      case SNAPSHOT_ISOLATION -> AnomalyType.G_NONADJACENT_ITEM;
      case STRONG_SESSION_SNAPSHOT_ISOLATION, PREFIX -> AnomalyType.G_NONADJACENT_ITEM_PROCESS;
      case STRONG_SNAPSHOT_ISOLATION -> AnomalyType.G_NONADJACENT_ITEM_REALTIME;
      case REPEATABLE_READ, SERIALIZABLE -> AnomalyType.G2_ITEM;
      case STRONG_SESSION_REPEATABLE_READ, STRONG_SESSION_SERIALIZABLE ->
          AnomalyType.G2_ITEM_PROCESS;
      case STRONG_REPEATABLE_READ, STRICT_SERIALIZABLE -> AnomalyType.G2_ITEM_REALTIME;
      default -> throw new IllegalArgumentException(level + " is not given by a model");
    };
  }
}
