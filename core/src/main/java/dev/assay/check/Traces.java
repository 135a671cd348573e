package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.infer.Elements;
import dev.assay.infer.ReadsFrom;
import dev.assay.level.AnomalyType;
import java.util.Arrays;

/**
 * What the reads of a whole list show together: elements that appear twice, reads that disagree on
 * the order, committed appends built on aborted ones. Each distinct trace is looked at once, to the
 * length of the longest read on it by a transaction that counts.
 */
final class Traces {
  private static final int NONE = -1;

  private final History history;
  private final Sequences sequences;
  private final ReadsFrom reads;

  /** For each trace the read that shows most of it, or −1. */
  private final int[] longest;

  Traces(History history, ReadsFrom reads) {
    this.history = history;
    this.sequences = history.sequences();
    this.reads = reads;
    this.longest = new int[sequences.traceCount()];
    Arrays.fill(longest, NONE);
  }

  void check(Tally tally) {
    if (longest.length == 0) {
      return;
    }
    findLongestReads();
    for (int read : longest) {
      if (read != NONE) {
        checkDuplicates(read, tally);
        checkDirtyUpdates(read, tally);
      }
    }
    checkOrder(tally);
  }

  private void findLongestReads() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!reads.counts(txn)) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN) {
          int trace = sequences.trace(history.value(op));
          if (longest[trace] == NONE || length(op) > length(longest[trace])) {
            longest[trace] = op;
          }
        }
      }
    }
  }

  /** One instance for each element that a trace holds more often than it was appended. */
  private void checkDuplicates(int read, Tally tally) {
    int[] sorted = new int[length(read)];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = sequences.element(history.value(read), i);
    }
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; ) {
      int end = i + 1;
      while (end < sorted.length && sorted[end] == sorted[i]) {
        end++;
      }
      if (end - i > 1 && end - i > timesAppended(read, sorted[i])) {
        tally.add(AnomalyType.DUPLICATE_WRITE, read, writerOf(read, sorted[i]));
      }
      i = end;
    }
  }

  private int timesAppended(int read, int element) {
    return reads.elements().timesWritten(history.key(read), element);
  }

  private int writerOf(int read, int element) {
    for (int i = 0; i < length(read); i++) {
      if (sequences.element(history.value(read), i) == element) {
        return Math.max(writer(read, i), NONE);
      }
    }
    return NONE;
  }

  /** One instance for each aborted append that a later one by a transaction that counts follows. */
  private void checkDirtyUpdates(int read, Tally tally) {
    int next = NONE;
    for (int i = length(read) - 1; i >= 0; i--) {
      int write = writer(read, i);
      if (write < 0) {
        continue;
      }
      int writer = history.transactionOf(write);
      if (reads.counts(writer)) {
        next = write;
      } else if (next != NONE && history.outcome(writer) == Outcome.ABORTED) {
        tally.add(AnomalyType.DIRTY_UPDATE, read, write, next);
      }
    }
  }

  /**
   * One instance for each trace that is no prefix of the longest read of its key. What an aborted
   * transaction appended may be there or not, as others see it come and go; nor can reads be
   * compared that show an element which may or may not be of an aborted transaction.
   */
  private void checkOrder(Tally tally) {
    Elements elements = reads.elements();
    int[] best = new int[history.keys().count()];
    int[] most = new int[best.length];
    Arrays.fill(best, NONE);
    for (int read : longest) {
      if (read != NONE) {
        int key = history.key(read);
        int lasting = elements.lengthWithoutAborted(history.value(read));
        boolean better =
            best[key] == NONE || lasting > most[key] || (lasting == most[key] && read < best[key]);
        if (better) {
          best[key] = read;
          most[key] = lasting;
        }
      }
    }
    for (int read : longest) {
      if (read != NONE) {
        int other = best[history.key(read)];
        boolean comparable = !elements.mayHideAborted(read) && !elements.mayHideAborted(other);
        if (comparable
            && !elements.isPrefixWithoutAborted(history.value(read), history.value(other))) {
          tally.add(AnomalyType.INCOMPATIBLE_ORDER, read, other);
        }
      }
    }
  }

  private int length(int read) {
    return sequences.length(history.value(read));
  }

  private int writer(int read, int index) {
    return reads.elements().writer(history.value(read), index);
  }
}
