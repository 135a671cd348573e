package dev.assay.check.strong;

import dev.assay.level.Level;
import dev.assay.solve.Polygraph;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a level asks for, as a problem of orders.
 *
 * @param level the level
 * @param shape how transactions become events
 * @param sessions whether the order respects sessions
 * @param realTime whether it respects real time
 */
record Model(Level level, Polygraph.Shape shape, boolean sessions, boolean realTime) {
  private static final Map<Level, Model> MODELS = new EnumMap<>(Level.class);

  static {
    family(
        Polygraph.Shape.SERIAL,
        Level.SERIALIZABLE,
        Level.STRONG_SESSION_SERIALIZABLE,
        Level.STRICT_SERIALIZABLE);
    family(
        Polygraph.Shape.SNAPSHOT,
        Level.SNAPSHOT_ISOLATION,
        Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
        Level.STRONG_SNAPSHOT_ISOLATION);
    add(new Model(Level.PREFIX, Polygraph.Shape.PREFIX, true, false));
  }

  private static void family(Polygraph.Shape shape, Level plain, Level session, Level strong) {
    add(new Model(plain, shape, false, false));
    add(new Model(session, shape, true, false));
    add(new Model(strong, shape, true, true));
  }

  private static void add(Model model) {
    MODELS.put(model.level, model);
  }

  /** The model of a level, or null where it is not given by one. */
  static Model of(Level level) {
    return MODELS.get(level);
  }

  /** The levels of this shape, weakest first. */
  List<Model> family() {
    return MODELS.values().stream()
        .filter(model -> model.shape == shape)
        .sorted(
            (a, b) ->
                Boolean.compare(a.realTime, b.realTime) * 2
                    + Boolean.compare(a.sessions, b.sessions))
        .toList();
  }
}
