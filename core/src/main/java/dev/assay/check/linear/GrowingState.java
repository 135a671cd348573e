package dev.assay.check.linear;

import java.util.Arrays;

/**
 * A key whose writes commute, so that the parts that took effect say what it holds. Where it only
 * grows, what must be read of it has ranks, and nothing above the lowest open rank may be there
 * yet.
 */
abstract class GrowingState implements KeyState {
  /** The rank of what is not ranked: nothing that must be read tells about it. */
  static final int NO_RANK = Integer.MAX_VALUE;

  final KeyParts parts;

  /** For each operation the rank of the read that it is, or {@link #NO_RANK}. */
  final int[] rank;

  private int[] open = new int[0];
  private int lowest;

  GrowingState(KeyParts parts) {
    this.parts = parts;
    this.rank = new int[parts.ops.length];
    Arrays.fill(rank, NO_RANK);
  }

  /** Opens all reads that have a rank. */
  final void openReads(int ranks) {
    open = new int[ranks];
    for (int one : rank) {
      if (one != NO_RANK) {
        open[one]++;
      }
    }
    advance();
  }

  /** The lowest rank of which a read has not taken effect, or {@link #NO_RANK}. */
  final int lowestOpen() {
    return lowest < open.length ? lowest : NO_RANK;
  }

  private void advance() {
    while (lowest < open.length && open[lowest] == 0) {
      lowest++;
    }
  }

  /** Does one operation; false, without effect, where the result differs. */
  abstract boolean step(int i);

  abstract void stepBack(int i);

  @Override
  public boolean apply(int part) {
    for (int i = parts.first[part]; i < parts.first[part + 1]; i++) {
      if (!step(i)) {
        back(parts.first[part], i);
        return false;
      }
      if (rank[i] != NO_RANK) {
        open[rank[i]]--;
        advance();
      }
    }
    return true;
  }

  @Override
  public void undo(int part, int before) {
    back(parts.first[part], parts.first[part + 1]);
  }

  private void back(int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      stepBack(i);
      if (rank[i] != NO_RANK) {
        open[rank[i]]++;
        lowest = Math.min(lowest, rank[i]);
      }
    }
  }

  @Override
  public int code() {
    return 0;
  }

  @Override
  public boolean overwrites() {
    return false;
  }
}
