package dev.assay.infer.predicates;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.RowVersions;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The versions of a key that can have been current while a transaction ran, if commits respect real
 * time: none that was written after it, and none that was overwritten before it.
 */
final class VersionWindow {
  private final History history;
  private final RowVersions rows;

  /** The versions of each key, without the initial one, by the ends of their writers. */
  private final int[] byEnd;

  /** For each of these the latest start up to it, of the same key. */
  private final long[] latestStart;

  /** The longest that a transaction lasted. */
  private long longest;

  VersionWindow(History history, RowVersions rows) {
    this.history = history;
    this.rows = rows;
    this.byEnd = new int[rows.versions()];
    this.latestStart = new long[byEnd.length];
    for (int key = 0; key < rows.keys(); key++) {
      int first = rows.first(key) + 1;
      int[] versions = IntStream.range(first, rows.end(key)).toArray();
      System.arraycopy(Sorted.by(versions, this::end), 0, byEnd, first, versions.length);
      long latest = Long.MIN_VALUE;
      for (int i = first; i < rows.end(key); i++) {
        latest = Math.max(latest, start(byEnd[i]));
        latestStart[i] = latest;
      }
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.knownEnd(txn) != History.ABSENT && history.start(txn) != History.ABSENT) {
        longest = Math.max(longest, history.end(txn) - history.start(txn));
      }
    }
  }

  private long end(int version) {
    long end = history.knownEnd(history.transactionOf(rows.write(version)));
    return end == History.ABSENT ? Long.MAX_VALUE : end;
  }

  private long start(int version) {
    long start = history.start(history.transactionOf(rows.write(version)));
    return start == History.ABSENT ? Long.MIN_VALUE : start;
  }

  /** The versions that a transaction can have seen, the initial one first if it is among them. */
  int[] of(int txn, int key) {
    int first = rows.first(key) + 1;
    int end = rows.end(key);
    long begun = history.start(txn) == History.ABSENT ? Long.MIN_VALUE : history.start(txn);
    long over = history.knownEnd(txn) == History.ABSENT ? Long.MAX_VALUE : history.end(txn);
    int before = firstEndingAt(begun, first, end);
    int[] found = new int[end - first + 1];
    int size = 0;
    if (before == first) {
      found[size++] = rows.first(key);
    }
    int from = before == first ? first : firstEndingAt(latestStart[before - 1], first, end);
    for (int i = from; i < end; i++) {
      if (start(byEnd[i]) <= over) {
        found[size++] = byEnd[i];
      } else if (end(byEnd[i]) != Long.MAX_VALUE && end(byEnd[i]) - longest > over) {
        // All others that have an end began later still.
        i = Math.max(i, firstEndingAt(Long.MAX_VALUE, first, end) - 1);
      }
    }
    return Arrays.copyOf(found, size);
  }

  /** The first place among the versions of a key that ended then or later. */
  private int firstEndingAt(long time, int first, int end) {
    int from = first;
    int to = end;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (end(byEnd[middle]) < time) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
