package dev.assay.check.strong;

import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import dev.assay.solve.Polygraph;

/**
 * What a level requires, as an ordering problem.
 *
 * @param level the level
 * @param shape how transactions become events
 * @param facts which dependencies count
 * @param sessions whether the order respects sessions
 * @param realTime whether it respects real time
 */
record Model(Level level, Polygraph.Shape shape, Facts facts, boolean sessions, boolean realTime) {
  /** Which dependencies count. */
  enum Facts {
    /** ww: versions follow each other. */
    WRITES,
    /** Also wr: reads follow the write they saw. */
    FLOW,
    /** Also rw: overwrites of a version follow its reads. */
    ALL
  }

  /** The same level with session order; this one if there is no such level. */
  Model withSessions() {
    return level.over(Orders.SESSIONS).map(Model::of).orElse(this);
  }

  /** The model of a level, or null if it has none. */
  static Model of(Level level) {
    return level.cycles() == null
        ? null
        : new Model(
            level,
            shape(level.cycles()),
            facts(level.cycles()),
            level.orders().includeSessions(),
            level.needsRealTime());
  }

  private static Polygraph.Shape shape(ForbiddenCycles cycles) {
    return switch (cycles) {
      case ONE_RW_AGAINST_ONE_EDGE -> Polygraph.Shape.ATOMIC;
      case AT_MOST_ONE_RW -> Polygraph.Shape.PARALLEL;
      case NO_RW_AFTER_WW_OR_RW -> Polygraph.Shape.PREFIX;
      case NO_ADJACENT_RW -> Polygraph.Shape.SNAPSHOT;
      case WRITES, FLOW, FLOW_AND_LOST_UPDATES, ALL_OF_ITEMS, ALL -> Polygraph.Shape.SERIAL;
    };
  }

  private static Facts facts(ForbiddenCycles cycles) {
    return switch (cycles.kind()) {
      case G0 -> Facts.WRITES;
      case G1C -> Facts.FLOW;
      default -> Facts.ALL;
    };
  }
}
