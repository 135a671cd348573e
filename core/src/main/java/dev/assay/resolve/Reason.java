package dev.assay.resolve;

import java.util.Locale;

/**
 * Why one version of a key comes before another: in the order given by the source, an operation
 * that read or wrote the earlier version comes before one that read or wrote the later version.
 *
 * @param source where the order comes from
 * @param earlier an operation that read or wrote the earlier version; −1 for the initial version
 * @param later an operation that read or wrote the later version; −1 for the initial version of a
 *     given order
 */
public record Reason(Source source, int earlier, int later) {
  /** The sources of version orders, in the order in which they are applied. */
  public enum Source {
    INITIAL,
    /** The numbers of the versions, which the history has. */
    VERSION_NUMBER,
    /** The user's version certificate. */
    CERTIFICATE,
    TRANSACTION_ORDER,
    WRITES_FOLLOW_READS,
    SEQUENTIAL_KEYS,
    LINEARIZABLE_KEYS,
    TIMESTAMPS,
    /** A transaction read one version and wrote the other; valid from read committed up. */
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
