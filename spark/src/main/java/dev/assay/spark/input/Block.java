package dev.assay.spark.input;

import dev.assay.history.History;

/** Some transactions of a split, each with its position in the candidate order. */
public final class Block {
  public final History history;
  private final Split split;
  private final long before;
  private final long[] positions;

  /**
   * A block.
   *
   * @param before the number of transactions of the split that come before it
   * @param last the position of the last one of these
   */
  public Block(History history, Split split, long before, long last) {
    this.history = history;
    this.split = split;
    this.before = before;
    this.positions = new long[history.transactionCount()];
    long position = last;
    for (int txn = 0; txn < positions.length; txn++) {
      long time = time(history, txn);
      if (!split.timed) {
        position = number(txn);
      } else if (time != History.ABSENT) {
        position = time;
      }
      positions[txn] = position;
    }
  }

  /** When a transaction ended, as far as that is known. */
  static long time(History history, int txn) {
    return Math.max(history.start(txn), history.end(txn));
  }

  public int size() {
    return positions.length;
  }

  /** The place of a transaction among all. */
  public long number(int txn) {
    return split.number(before + txn);
  }

  public long position(int txn) {
    return positions[txn];
  }
}
