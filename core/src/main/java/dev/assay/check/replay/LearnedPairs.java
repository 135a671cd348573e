package dev.assay.check.replay;

import dev.assay.graph.IntList;
import dev.assay.history.LongIndex;

/** Pairs of transactions of a {@link SerialOrder} of which the first must come first. */
final class LearnedPairs {
  private static final int NO_TRANSACTION = -1;

  private final IntList first = new IntList();
  private final IntList second = new IntList();

  /** Whether a transaction is the second of some pair. */
  private final boolean[] isSecond;

  /** Pairs that turned out to be wrong. */
  private final LongIndex mistakes = new LongIndex();

  LearnedPairs(int transactions) {
    this.isSecond = new boolean[transactions];
  }

  /** Takes the first of a pair, and the number of the pair. */
  interface Pair {
    void accept(int before, int number);
  }

  void add(int one, int other) {
    first.add(one);
    second.add(other);
    isSecond[other] = true;
  }

  /** A pair turned out to be wrong; returns the one of it that is listed first. */
  int takeBack(int number) {
    int earlier = Math.min(first.get(number), second.get(number));
    mistakes.indexOf(pair(first.get(number), second.get(number)));
    first.set(number, NO_TRANSACTION);
    second.set(number, NO_TRANSACTION);
    return earlier;
  }

  boolean isMistake(int one, int other) {
    return mistakes.find(pair(one, other)) >= 0;
  }

  /** The number of a pair, or −1. */
  int find(int one, int other) {
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i) == one && second.get(i) == other) {
        return i;
      }
    }
    return -1;
  }

  /** Whether all that must come before a transaction are placed. */
  boolean allow(int txn, boolean[] placed) {
    for (int i = 0; isSecond[txn] && i < second.size(); i++) {
      if (second.get(i) == txn && !placed[first.get(i)]) {
        return false;
      }
    }
    return true;
  }

  void forEachBefore(int txn, Pair action) {
    for (int i = 0; isSecond[txn] && i < second.size(); i++) {
      if (second.get(i) == txn) {
        action.accept(first.get(i), i);
      }
    }
  }

  private static long pair(int one, int other) {
    return (long) one << 32 | other;
  }
}
