package dev.assay.proof;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.proof.Argument.Pair;
import dev.assay.type.Counters;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What reads of counters say about the order of transactions. A read shows a version, the sum of
 * the increments up to it. It is not known who made it, so its maker is a node of its own beside
 * the transactions: it comes after the transactions whose increments are in the sum, and before the
 * others.
 */
final class CounterSums {
  /** Larger amounts are left out, so that no sum of a verifier overflows. */
  private static final int MOST_BITS = 40;

  private final Facts facts;
  private final History history;

  /** What all increments of each counter that may have applied add to it, and take from it. */
  private final Map<Integer, Range> all = new HashMap<>();

  CounterSums(Facts facts) {
    this.facts = facts;
    this.history = facts.history;
    boolean any = facts.nodes > facts.size;
    for (int op = 0; any && op < history.operationCount(); op++) {
      boolean aborted = history.outcome(history.transactionOf(op)) == Outcome.ABORTED;
      if (facts.isIncrement(op) && !aborted) {
        all.computeIfAbsent(facts.counter(op), key -> new Range()).open(amount(op));
      }
    }
  }

  /** Between what and what a counter has changed, by increments that may be left out. */
  private static final class Range {
    BigInteger least = BigInteger.ZERO;
    BigInteger most = BigInteger.ZERO;

    void open(BigInteger amount) {
      least = least.add(amount.min(BigInteger.ZERO));
      most = most.add(amount.max(BigInteger.ZERO));
    }

    void count(BigInteger amount) {
      least = least.add(amount.max(BigInteger.ZERO));
      most = most.add(amount.min(BigInteger.ZERO));
    }

    void leaveOut(BigInteger amount) {
      least = least.subtract(amount.min(BigInteger.ZERO));
      most = most.subtract(amount.max(BigInteger.ZERO));
    }

    boolean has(BigInteger change) {
      return least.compareTo(change) <= 0 && change.compareTo(most) <= 0;
    }
  }

  private BigInteger amount(int op) {
    return Counters.amount(history, op);
  }

  /** Whether the sums of all counters can be examined. */
  static boolean areExamined(History history) {
    for (int op = 0; op < history.operationCount(); op++) {
      boolean counts = history.kind(op).type().isNumber();
      boolean known = counts && (history.kind(op).isWrite() || Sources.isSeen(history, op));
      if (known && Counters.amount(history, op).bitLength() > MOST_BITS) {
        return false;
      }
    }
    return true;
  }

  /** Pairs of makers of which the first comes before the second, whatever else is decided. */
  List<Pair> ascending(List<Integer> makers) {
    List<Pair> pairs = new ArrayList<>();
    for (int first : makers) {
      int shown = facts.sumsOf(first).get(0);
      Range range = all.getOrDefault(facts.counter(shown), new Range());
      for (int second : makers) {
        // The opposite: what the first shows is the same as what the second does, or later.
        boolean related = first != second && facts.keyOf(first) == facts.keyOf(second);
        if (related && !range.has(amount(shown).subtract(amount(facts.sumsOf(second).get(0))))) {
          pairs.add(new Pair(first, second));
        }
      }
    }
    return pairs;
  }

  /**
   * The pairs that keep the increments from adding up to what a read shows, or null if they may.
   *
   * @param node the maker of the version that it shows, or its transaction
   * @param decided the pairs of this node and transactions that are decided
   */
  List<Pair> conflict(int node, int read, List<Pair> decided) {
    if (addsUp(node, read, decided)) {
      return null;
    }
    List<Pair> needed = new ArrayList<>(decided);
    for (Pair pair : decided) {
      needed.remove(pair);
      if (addsUp(node, read, needed)) {
        needed.add(pair);
      }
    }
    return needed;
  }

  private boolean addsUp(int node, int read, List<Pair> decided) {
    Range range = new Range();
    Range whole = all.getOrDefault(facts.counter(read), range);
    range.least = whole.least;
    range.most = whole.most;
    for (int op : increments(facts.owner(read), facts.counter(read))) {
      if (op < read) {
        range.count(amount(op));
      } else {
        range.leaveOut(amount(op));
      }
    }
    for (Pair pair : decided) {
      boolean in = pair.second() == node;
      for (int op : increments(in ? pair.first() : pair.second(), facts.counter(read))) {
        if (in) {
          range.count(amount(op));
        } else {
          range.leaveOut(amount(op));
        }
      }
    }
    return range.has(amount(read));
  }

  private List<Integer> increments(int txn, int key) {
    int from = facts.split ? txn : history.firstOp(txn);
    int to = facts.split ? txn + 1 : history.endOp(txn);
    return IntStream.range(from, to)
        .filter(op -> facts.isIncrement(op) && facts.counter(op) == key)
        .boxed()
        .toList();
  }
}
