package dev.assay.check.strong;

import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import dev.assay.solve.Polygraph;

/**
 * What a level asks for, as a problem of orders.
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
    /** Versions follow each other. */
    WRITES,
    /** That, and reads follow what they read. */
    FLOW,
    /** That, and what overwrites a version follows its reads. */
    ALL
  }

  /** The same level with sessions; this one where there is none. */
  Model withSessions() {
    return level.over(Orders.SESSIONS).map(Model::of).orElse(this);
  }

  /** The model of a level, or null where it is not given by one. */
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
