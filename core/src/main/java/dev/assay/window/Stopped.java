package dev.assay.window;

import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** Why nothing more is judged. */
final class Stopped {
  static final Verdict.Unknown UNSUPPORTED =
      new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "counters, predicates and version numbers are not judged window by window");

  /** Of a window with conditions that failed. */
  static final Verdict.Unknown CONDITIONS =
      new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "window by window, conditions that failed are judged only where transactions, one after"
              + " another, see what they saw");

  /** Of a level that is decided where it is asked for by name. */
  static final Verdict.Unknown BY_NAME =
      new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "window by window it is judged only where transactions, one after another, see what they"
              + " saw");

  static final Verdict.Unknown TOO_LARGE =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "too many transactions have to be judged together");

  static final Verdict.Unknown DROPPED =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "it needs past transactions that were dropped; see --keep");

  static final Verdict.Unknown TOO_MUCH =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "too many values and keys that are not counted up");

  /** The levels that are never decided window by window. */
  static Map<Level, Verdict.Unknown> undecidable(Set<Level> levels) {
    Map<Level, Verdict.Unknown> undecidable = new EnumMap<>(Level.class);
    for (Level level : levels) {
      if (level.isDecidedByName() && !Level.STRICT_SERIALIZABLE.provesInOrder(level)) {
        undecidable.put(level, BY_NAME);
      }
    }
    return undecidable;
  }

  static boolean isUnsupported(History finished) {
    return finished.hasVersionNumbers() || finished.uses(type -> !type.namesVersions());
  }

  /** A history that is read whole is refused then. */
  static Verdict.Unknown ofSeveralTypes(KeyState key) {
    return new Verdict.Unknown(
        Verdict.Reason.UNSUPPORTED,
        "key %s is not only written as a %s".formatted(key.key, key.writtenAs.noun()));
  }

  private Stopped() {}
}
