package dev.assay.infer.counters;

import dev.assay.history.History;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What counters may have begun at where that is not known. A search for an order needs to know it,
 * and the read that ended first tells: it saw all increments that had ended before it began, and
 * some of those at the same time. Each choice of these gives one start.
 */
final class CounterStarts {
  private static final int NONE = -1;

  /** Maximum number of increments at the same time that are looked at, and of starts. */
  private static final int MAX_CONCURRENT = 8;

  private final History history;
  private final CounterUse use;

  private CounterStarts(History history, ReadsFrom reads) {
    this.history = history;
    this.use = new CounterUse(history, reads, new long[history.keys().count()]);
  }

  /** For each candidate what each counter begins at, the likeliest first. */
  static List<long[]> of(History history, ReadsFrom reads) {
    if (!history.countersBeginAnywhere()) {
      return List.of(new long[history.keys().count()]);
    }
    return new CounterStarts(history, reads).candidates();
  }

  private List<long[]> candidates() {
    long[] seen = new long[history.keys().count()];
    int first = firstReader();
    if (first == NONE) {
      return List.of(seen);
    }
    int[] ended = new int[seen.length];
    Arrays.fill(ended, NONE);
    for (int read = 0; read < use.reads(); read++) {
      int counter = use.readCounter(read);
      boolean ofFirst = use.readBy(read) == first;
      if (!use.isAfterOwn(read) && (ended[counter] == NONE || ofFirst)) {
        ended[counter] = use.readBy(read);
        seen[counter] = use.sum(read);
      }
    }
    List<Integer> concurrent = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (use.increments(txn) && txn != first) {
        if (precedes(txn, first)) {
          takeOff(seen, txn);
        } else if (!precedes(first, txn) && concurrent.size() < MAX_CONCURRENT) {
          concurrent.add(txn);
        }
      }
    }
    Set<List<Long>> starts = new LinkedHashSet<>();
    for (int chosen = 0; chosen < 1 << concurrent.size(); chosen++) {
      long[] start = seen.clone();
      for (int i = 0; i < concurrent.size(); i++) {
        if ((chosen & 1 << i) != 0) {
          takeOff(start, concurrent.get(i));
        }
      }
      starts.add(Arrays.stream(start).boxed().toList());
    }
    return starts.stream().map(CounterStarts::unboxed).toList();
  }

  private static long[] unboxed(List<Long> start) {
    return start.stream().mapToLong(Long::longValue).toArray();
  }

  private int firstReader() {
    int first = NONE;
    for (int read = 0; read < use.reads(); read++) {
      int txn = use.readBy(read);
      if (first == NONE || precedesByEnd(txn, first)) {
        first = txn;
      }
    }
    return first;
  }

  private boolean precedesByEnd(int txn, int other) {
    long end = history.knownEnd(txn);
    long otherEnd = history.knownEnd(other);
    return end != History.ABSENT && otherEnd != History.ABSENT && end < otherEnd;
  }

  private boolean precedes(int txn, int other) {
    long end = history.knownEnd(txn);
    long start = history.start(other);
    boolean sameSession = history.session(txn) == history.session(other);
    return sameSession
        ? txn < other
        : end != History.ABSENT && start != History.ABSENT && end < start && !use.isOptional(txn);
  }

  private void takeOff(long[] sums, int txn) {
    for (int i = use.firstIncrement(txn); i < use.endIncrement(txn); i++) {
      sums[use.counter(i)] -= use.amount(i);
    }
  }
}
