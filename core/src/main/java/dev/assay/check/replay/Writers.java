package dev.assay.check.replay;

import dev.assay.graph.Grouping;

/** The transactions of a {@link SerialOrder} that write each register and have not run. */
final class Writers {
  private static final int NO_TRANSACTION = -1;

  private final Footprints footprints;
  private final Grouping writers;

  /** For each register its first writer that has not run, or one before it. */
  private final int[] first;

  /** For each transaction when the first of those from there on ended. */
  private final long[] laterEnds;

  private final boolean[] placed;

  Writers(Footprints footprints, int keys, long[] laterEnds, boolean[] placed) {
    this.footprints = footprints;
    this.writers = footprints.writers();
    this.first = new int[keys];
    this.laterEnds = laterEnds;
    this.placed = placed;
    for (int key = 0; key < keys; key++) {
      first[key] = writers.first(key);
    }
  }

  /** A transaction that wrote a register has not run any more. */
  void takeBack(int key, int txn) {
    while (first[key] > writers.first(key) && writers.item(first[key] - 1) >= txn) {
      first[key]--;
    }
  }

  private int skipPlaced(int key) {
    while (first[key] < writers.end(key) && placed[writers.item(first[key])]) {
      first[key]++;
    }
    return first[key];
  }

  /** The first writer of a register that has not run, beside a transaction; −1 if there is none. */
  int next(int key, int txn) {
    for (int i = skipPlaced(key); i < writers.end(key); i++) {
      if (!placed[writers.item(i)] && writers.item(i) != txn) {
        return writers.item(i);
      }
    }
    return NO_TRANSACTION;
  }

  /** One that has not run, beside a transaction, and ended before a time; −1 if there is none. */
  int endedBefore(int key, int txn, long time) {
    for (int i = skipPlaced(key); i < writers.end(key); i++) {
      int other = writers.item(i);
      if (placed[other] || other == txn) {
        continue;
      }
      if (laterEnds[other] >= time) {
        break;
      }
      if (footprints.endedBefore(other, time)) {
        return other;
      }
    }
    return NO_TRANSACTION;
  }
}
