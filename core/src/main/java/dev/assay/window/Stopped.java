package dev.assay.window;

import dev.assay.check.Verdict;
import dev.assay.history.History;

/** Why nothing more is judged. */
final class Stopped {
  static final Verdict.Unknown UNSUPPORTED =
      new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "counters, predicates, conditions that failed, version numbers and levels that are"
              + " decided by name only are not judged window by window");

  static final Verdict.Unknown TOO_LARGE =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "too many transactions have to be judged together");

  static final Verdict.Unknown DROPPED =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "it needs past transactions that were dropped; see --keep");

  static final Verdict.Unknown TOO_MUCH =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "too many values and keys that are not counted up");

  static boolean isUnsupported(History finished) {
    return finished.hasOtherReads()
        || finished.hasVersionNumbers()
        || finished.uses(type -> !type.namesVersions());
  }

  /** A history that is read whole is refused then. */
  static Verdict.Unknown ofSeveralTypes(KeyState key) {
    return new Verdict.Unknown(
        Verdict.Reason.UNSUPPORTED,
        "key %s is not only written as a %s".formatted(key.key, key.writtenAs.noun()));
  }

  private Stopped() {}
}
