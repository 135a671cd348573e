package dev.assay.check.strong;

import dev.assay.level.Level;
import dev.assay.solve.Polygraph;
import java.util.EnumMap;
import java.util.Map;

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

  private static final Map<Level, Model> MODELS = new EnumMap<>(Level.class);

  static {
    family(
        Polygraph.Shape.SERIAL,
        Facts.ALL,
        Level.SERIALIZABLE,
        Level.STRONG_SESSION_SERIALIZABLE,
        Level.STRICT_SERIALIZABLE);
    family(
        Polygraph.Shape.SERIAL,
        Facts.ALL,
        Level.REPEATABLE_READ,
        Level.STRONG_SESSION_REPEATABLE_READ,
        Level.STRONG_REPEATABLE_READ);
    family(
        Polygraph.Shape.SNAPSHOT,
        Facts.ALL,
        Level.SNAPSHOT_ISOLATION,
        Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
        Level.STRONG_SNAPSHOT_ISOLATION);
    family(
        Polygraph.Shape.SERIAL,
        Facts.FLOW,
        Level.ADYA_READ_COMMITTED,
        Level.STRONG_SESSION_ADYA_READ_COMMITTED,
        Level.STRONG_ADYA_READ_COMMITTED);
    family(
        Polygraph.Shape.SERIAL,
        Facts.WRITES,
        Level.READ_UNCOMMITTED,
        Level.STRONG_SESSION_READ_UNCOMMITTED,
        Level.STRONG_READ_UNCOMMITTED);
    family(
        Polygraph.Shape.PARALLEL,
        Facts.ALL,
        Level.CONSISTENT_VIEW,
        Level.PARALLEL_SNAPSHOT_ISOLATION,
        Level.STRONG_CONSISTENT_VIEW);
    add(new Model(Level.UPDATE_ATOMIC, Polygraph.Shape.ATOMIC, Facts.ALL, true, false));
    add(new Model(Level.PREFIX, Polygraph.Shape.PREFIX, Facts.ALL, true, false));
    add(new Model(Level.CURSOR_STABILITY, Polygraph.Shape.SERIAL, Facts.FLOW, false, false));
  }

  private static void family(
      Polygraph.Shape shape, Facts facts, Level plain, Level session, Level strong) {
    add(new Model(plain, shape, facts, false, false));
    add(new Model(session, shape, facts, true, false));
    add(new Model(strong, shape, facts, true, true));
  }

  private static void add(Model model) {
    MODELS.put(model.level, model);
  }

  /** The same level with sessions. */
  Model withSessions() {
    return MODELS.values().stream()
        .filter(
            other ->
                other.sessions
                    && !other.realTime
                    && other.shape == shape
                    && other.facts == facts
                    && other.level.implies(level))
        .findFirst()
        .orElse(this);
  }

  /** The model of a level, or null where it is not given by one. */
  static Model of(Level level) {
    return MODELS.get(level);
  }
}
