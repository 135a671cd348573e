package dev.assay.history;

import java.util.Locale;

/** What the client learned about the fate of its transaction. */
public enum Outcome {
  COMMITTED,
  ABORTED,
  /** The client never learned: the commit may or may not have taken effect. */
  INDETERMINATE;

  private static final Outcome[] VALUES = values();

  public static Outcome of(int ordinal) {
    return VALUES[ordinal];
  }

  /** The name used in files and reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The outcome with this {@link #id()}, or null. */
  public static Outcome fromId(String id) {
    for (Outcome outcome : VALUES) {
      if (outcome.id().equals(id)) {
        return outcome;
      }
    }
    return null;
  }
}
