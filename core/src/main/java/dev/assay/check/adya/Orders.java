package dev.assay.check.adya;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;

/**
 * Which orders besides dependencies a cycle may use, and what levels and cycles are then called.
 */
enum Orders {
  NONE(0),
  SESSIONS(AdyaGraph.SO),
  REAL_TIME(AdyaGraph.SO | AdyaGraph.RT | AdyaGraph.TIMESTAMP);

  private final int kinds;

  Orders(int kinds) {
    this.kinds = kinds;
  }

  /** The kinds of edges it adds. */
  int kinds() {
    return kinds;
  }

  /** The kinds of which a cycle named after this order must use one. */
  int required() {
    return switch (this) {
      case NONE -> 0;
      case SESSIONS -> AdyaGraph.SO;
      case REAL_TIME -> AdyaGraph.RT | AdyaGraph.TIMESTAMP;
    };
  }

  private <T> T pick(T plain, T sessions, T realTime) {
    return switch (this) {
      case NONE -> plain;
      case SESSIONS -> sessions;
      case REAL_TIME -> realTime;
    };
  }

  Level readUncommitted() {
    return pick(
        Level.READ_UNCOMMITTED,
        Level.STRONG_SESSION_READ_UNCOMMITTED,
        Level.STRONG_READ_UNCOMMITTED);
  }

  Level readCommitted() {
    return pick(
        Level.ADYA_READ_COMMITTED,
        Level.STRONG_SESSION_ADYA_READ_COMMITTED,
        Level.STRONG_ADYA_READ_COMMITTED);
  }

  Level consistentView() {
    return pick(
        Level.CONSISTENT_VIEW, Level.PARALLEL_SNAPSHOT_ISOLATION, Level.STRONG_CONSISTENT_VIEW);
  }

  Level snapshotIsolation() {
    return pick(
        Level.SNAPSHOT_ISOLATION,
        Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
        Level.STRONG_SNAPSHOT_ISOLATION);
  }

  Level serializable() {
    return pick(Level.SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE, Level.STRICT_SERIALIZABLE);
  }

  Level repeatableRead() {
    return pick(
        Level.REPEATABLE_READ, Level.STRONG_SESSION_REPEATABLE_READ, Level.STRONG_REPEATABLE_READ);
  }

  /** The name of a cycle, one of whose rw is by a predicate. */
  AnomalyType predicateName(CycleKind kind) {
    return switch (kind) {
      case G0, G1C -> name(kind);
      case SINGLE ->
          pick(AnomalyType.G_SINGLE, AnomalyType.G_SINGLE_PROCESS, AnomalyType.G_SINGLE_REALTIME);
      case NONADJACENT ->
          pick(
              AnomalyType.G_NONADJACENT,
              AnomalyType.G_NONADJACENT_PROCESS,
              AnomalyType.G_NONADJACENT_REALTIME);
      case G2 -> pick(AnomalyType.G2, AnomalyType.G2_PROCESS, AnomalyType.G2_REALTIME);
    };
  }

  AnomalyType name(CycleKind kind) {
    return switch (kind) {
      case G0 -> pick(AnomalyType.G0, AnomalyType.G0_PROCESS, AnomalyType.G0_REALTIME);
      case G1C -> pick(AnomalyType.G1C, AnomalyType.G1C_PROCESS, AnomalyType.G1C_REALTIME);
      case SINGLE ->
          pick(
              AnomalyType.G_SINGLE_ITEM,
              AnomalyType.G_SINGLE_ITEM_PROCESS,
              AnomalyType.G_SINGLE_ITEM_REALTIME);
      case NONADJACENT ->
          pick(
              AnomalyType.G_NONADJACENT_ITEM,
              AnomalyType.G_NONADJACENT_ITEM_PROCESS,
              AnomalyType.G_NONADJACENT_ITEM_REALTIME);
      case G2 ->
          pick(AnomalyType.G2_ITEM, AnomalyType.G2_ITEM_PROCESS, AnomalyType.G2_ITEM_REALTIME);
    };
  }
}
