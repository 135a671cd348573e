package dev.assay.resolve;

import java.util.Locale;

/**
 * Why one version of a key comes before another: an operation on the key that saw or wrote the
 * earlier version comes before one that saw or wrote the later version, in the order that the
 * source is about.
 *
 * @param source what says so
 * @param earlier an operation that read or wrote the earlier version; −1 for the initial version
 * @param later an operation that read or wrote the later version; −1 for the initial version of a
 *     given order
 */
public record Reason(Source source, int earlier, int later) {
  /** Where knowledge of a version order comes from, in the order in which it is taken up. */
  public enum Source {
    INITIAL,
    /** The user's version certificate. */
    CERTIFICATE,
    TRANSACTION_ORDER,
    WRITES_FOLLOW_READS,
    SEQUENTIAL_KEYS,
    LINEARIZABLE_KEYS,
    TIMESTAMPS,
    /** The reader of a version wrote the next: a consequence, from read committed up. */
    READ_MODIFY_WRITE,
    /** A read of the whole list shows the order. */
    TRACE;

    private static final Source[] VALUES = values();

    public static Source of(int ordinal) {
      return VALUES[ordinal];
    }

    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
