package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What the reads of a whole list show together: elements that appear twice, reads that disagree on
 * the order, with each other or with who appended, committed appends built on aborted ones. Each
 * distinct trace is looked at once, to the length of the longest read on it by a transaction that
 * counts.
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
    if (history.uses(OpKind.Type.LIST)) {
      checkOrder(tally);
      checkAppendOrder(tally);
    }
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
   * transaction appended may be there or not, as others see it come and go. A read that shows an
   * element which may or may not be of an aborted transaction disagrees, or else is an aborted one.
   */
  private void checkOrder(Tally tally) {
    int[] twins = new int[longest.length];
    Arrays.fill(twins, NONE);
    for (int trace = 0; trace < longest.length; trace++) {
      if (longest[trace] != NONE) {
        twins[trace] = reads.elements().abortedTwin(longest[trace]);
      }
    }
    int[] sure = longestOfKeys(trace -> twins[trace] == NONE);
    int[] any = longestOfKeys(trace -> true);
    for (int trace = 0; trace < longest.length; trace++) {
      int read = longest[trace];
      if (read == NONE) {
        continue;
      }
      int key = history.key(read);
      if (twins[trace] == NONE && disagree(read, sure[key])) {
        tally.add(AnomalyType.INCOMPATIBLE_ORDER, read, sure[key]);
      }
      int other = any[key];
      int twin = Math.max(twins[trace], twins[sequences.trace(history.value(other))]);
      if (twin != NONE && disagree(read, other)) {
        tally.addEither(
            AnomalyType.INCOMPATIBLE_ORDER, AnomalyType.ABORTED_READ, read, other, twin);
      }
    }
  }

  /** For each key the read that shows most of it on some traces, what aborted left out, or −1. */
  private int[] longestOfKeys(IntPredicate traces) {
    int[] best = new int[history.keys().count()];
    int[] most = new int[best.length];
    Arrays.fill(best, NONE);
    for (int trace = 0; trace < longest.length; trace++) {
      int read = longest[trace];
      if (read != NONE && traces.test(trace)) {
        int key = history.key(read);
        int lasting = reads.elements().lengthWithoutAborted(history.value(read));
        boolean better =
            best[key] == NONE || lasting > most[key] || (lasting == most[key] && read < best[key]);
        if (better) {
          best[key] = read;
          most[key] = lasting;
        }
      }
    }
    return best;
  }

  private boolean disagree(int read, int longer) {
    return !reads.elements().isPrefixWithoutAborted(history.value(read), history.value(longer));
  }

  /** One instance for each append that a trace shows without those before it. */
  private void checkAppendOrder(Tally tally) {
    int[] before = previousAppends();
    if (before == null) {
      return;
    }
    BitSet foreseen = tally.found(AnomalyType.FUTURE_READ) ? foreseen() : new BitSet();
    BitSet shown = new BitSet();
    Set<Integer> repeated = new HashSet<>();
    for (int read : longest) {
      for (int i = 0; read != NONE && i < length(read); i++) {
        int append = writer(read, i);
        if (append == ReadsFrom.AMBIGUOUS) {
          repeated.add(sequences.element(history.value(read), i));
        } else if (append >= 0) {
          shown.set(append);
          int missing = missing(append, before, shown, repeated);
          if (missing != NONE && !foreseen.get(append)) {
            tally.add(AnomalyType.INCOMPATIBLE_ORDER, read, missing, append);
          }
        }
      }
      // One by one: clearing all would cost as much as the history for each trace.
      for (int i = 0; read != NONE && i < length(read); i++) {
        shown.clear(Math.max(writer(read, i), 0));
      }
      if (!repeated.isEmpty()) {
        // The table stays as large as it ever was, and to clear it costs as much.
        repeated = new HashSet<>();
      }
    }
  }

  /** Appends that their own transaction saw before it made them: nobody can tell when it did. */
  private BitSet foreseen() {
    BitSet foreseen = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) != OpKind.LIST_READ || history.value(op) == Values.UNKNOWN) {
          continue;
        }
        for (int i = 0; i < length(op); i++) {
          int append = writer(op, i);
          if (append > op && append < history.endOp(txn)) {
            foreseen.set(append);
          }
        }
      }
    }
    return foreseen;
  }

  /**
   * An append to the same list that a transaction which did not abort made before this one, and
   * that is not among those shown, or −1. The one right before is enough to look at, unless others
   * appended the same element, so that it cannot be told.
   */
  private int missing(int append, int[] before, BitSet shown, Set<Integer> repeated) {
    if (history.outcome(history.transactionOf(append)) == Outcome.ABORTED) {
      return NONE;
    }
    for (int earlier = before[append]; earlier != NONE; earlier = before[earlier]) {
      if (!reads.elements().isRepeated(history.key(earlier), history.value(earlier))) {
        return shown.get(earlier) ? NONE : earlier;
      }
      if (!repeated.contains(history.value(earlier))) {
        return earlier;
      }
    }
    return NONE;
  }

  /**
   * For each append the one to the same list before it in its transaction, or −1; null where no
   * transaction appends to a list more than once.
   */
  private int[] previousAppends() {
    int[] previous = null;
    int[] last = new int[history.keys().count()];
    Arrays.fill(last, NONE);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) != OpKind.APPEND) {
          continue;
        }
        int before = last[history.key(op)];
        last[history.key(op)] = op;
        if (before >= history.firstOp(txn)) {
          if (previous == null) {
            previous = new int[history.operationCount()];
            Arrays.fill(previous, NONE);
          }
          previous[op] = before;
        }
      }
    }
    return previous;
  }

  private int length(int read) {
    return sequences.length(history.value(read));
  }

  private int writer(int read, int index) {
    return reads.elements().writer(history.value(read), index);
  }
}
