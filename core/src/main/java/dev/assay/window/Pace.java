package dev.assay.window;

import java.io.IOException;
import java.util.stream.IntStream;

/** How many transactions an {@link Engine} looks at together, and where it may cut. */
final class Pace {
  private static final int SLICE = 1000;

  /** How far from where transactions did not run one after another the first cut is tried. */
  private static final int NEAR = 128;

  /** A cut must be beyond this many transactions, because one before it did not suffice. */
  int floor;

  /** Number of past windows to join next, where what was carried over does not suffice. */
  int join = 1;

  /**
   * Number of transactions to look at together. Searching for an order takes more than linear time,
   * so windows are small where they can be, and larger after a round without success.
   */
  int slice = SLICE;

  /**
   * Number of transactions that are left out of a window beside the usual ones, because others that
   * began among them may have seen old versions. It follows how far back such reads reached, so
   * that windows are not judged twice again and again.
   */
  int held;

  /** Number of transactions of a round without success, which is not tried again; 0 for none. */
  int stuckAt;

  /** A window was closed. */
  void closed(int cut) {
    held = Math.max(0, held - (cut + 3) / 4);
    floor = 0;
    join = 1;
    slice = SLICE;
    stuckAt = 0;
  }

  /**
   * A window was not closed.
   *
   * @param all whether it had all that there was
   */
  void stuck(int size, boolean all) {
    slice = size + size / 2 + 1;
    stuckAt = all ? size : 0;
  }

  /**
   * The cuts to try: one soon after the place where transactions could not run one after another,
   * because the less is judged by the checkers, the better; then one further on, and the last.
   */
  static int[] attempts(int[] clean, int reached) {
    if (clean.length == 0) {
      return clean;
    }
    int last = clean[clean.length - 1];
    int further = (int) Math.sqrt((double) NEAR * Math.max(NEAR, last - reached));
    return IntStream.of(reached + NEAR, reached + further, last)
        .map(beyond -> IntStream.of(clean).filter(cut -> cut >= beyond).findFirst().orElse(last))
        .distinct()
        .toArray();
  }

  // ---- states

  void save(StateOutput out) throws IOException {
    for (int number : new int[] {floor, join, slice, stuckAt, held}) {
      out.writeInt(number);
    }
  }

  void restore(StateInput in) throws IOException {
    floor = in.readInt();
    join = in.readInt();
    slice = in.readInt();
    stuckAt = in.readInt();
    held = in.readInt();
  }
}
