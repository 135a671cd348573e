package dev.assay.check.replay;

import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate.Chain;
import java.util.List;

/** Orders of writes that are given, as pairs of transactions of which the first comes first. */
final class GivenPairs {
  private final History history;
  private final List<Chain> given;

  /** For each transaction those that must come before it, perhaps itself among them. */
  private final Grouping before;

  GivenPairs(History history, List<Chain> given) {
    this.history = history;
    this.given = given;
    IntList first = new IntList();
    IntList second = new IntList();
    for (Chain chain : given) {
      for (int i = 1; i < chain.writes().size(); i++) {
        first.add(history.transactionOf(chain.writes().get(i - 1)));
        second.add(history.transactionOf(chain.writes().get(i)));
      }
    }
    this.before = Grouping.of(history.transactionCount(), second, first);
  }

  /** One that must come before a transaction and is not among those placed; −1 if there is none. */
  int missing(int txn, boolean[] placed) {
    for (int i = before.first(txn); i < before.end(txn); i++) {
      if (before.item(i) != txn && !placed[before.item(i)]) {
        return before.item(i);
      }
    }
    return -1;
  }

  /**
   * Whether the writes come in the orders that are given.
   *
   * @param places the place of each transaction
   */
  boolean areKept(int[] places) {
    for (Chain chain : given) {
      for (int i = 1; i < chain.writes().size(); i++) {
        int one = chain.writes().get(i - 1);
        int other = chain.writes().get(i);
        int place = places[history.transactionOf(one)];
        int next = places[history.transactionOf(other)];
        if (place > next || place == next && one > other) {
          return false;
        }
      }
    }
    return true;
  }
}
