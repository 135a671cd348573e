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
 * Anomalies that the reads of a list show together: duplicate elements, reads that disagree with
 * each other or with the program order of the appender, and committed appends on top of aborted
 * ones (dirty updates). Each distinct trace is examined once, up to the longest read of it by a
 * transaction that counts.
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

  void check(AnomalyTally tally) {
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

  /** One instance for each element that occurs in a trace more often than it was appended. */
  private void checkDuplicates(int read, AnomalyTally tally) {
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
    return reads.elements().timesWritten(read, element);
  }

  private int writerOf(int read, int element) {
    for (int i = 0; i < length(read); i++) {
      if (sequences.element(history.value(read), i) == element) {
        return Math.max(writer(read, i), NONE);
      }
    }
    return NONE;
  }

  /** One instance for each aborted append followed by one of a transaction that counts. */
  private void checkDirtyUpdates(int read, AnomalyTally tally) {
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
   * One instance for each trace that is not a prefix of the longest read of its key. Aborted
   * appends are ignored, since some reads may see them and others not. A read of an element that an
   * aborted transaction may have written either disagrees or is an aborted read.
   */
  private void checkOrder(AnomalyTally tally) {
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
            AnomalyType.INCOMPATIBLE_ORDER, Set.of(AnomalyType.ABORTED_READ), read, other, twin);
      }
    }
  }

  /** For each key the longest read on some traces, not counting aborted appends, or −1. */
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
  private void checkAppendOrder(AnomalyTally tally) {
    int[] before = previousAppends();
    if (before == null) {
      return;
    }
    BitSet foreseen = tally.found(AnomalyType.FUTURE_READ) ? foreseen() : new BitSet();
    BitSet shown = new BitSet();
    // Stays set: clearing the highest bit of a set looks for the next one, word by word.
    shown.set(history.operationCount());
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
      // Cleared bit by bit: clearing the whole set for each trace would be quadratic.
      for (int i = 0; read != NONE && i < length(read); i++) {
        shown.clear(Math.max(writer(read, i), 0));
      }
      if (!repeated.isEmpty()) {
        // Not cleared: a hash table keeps its capacity, and clearing takes time linear in that.
        repeated = new HashSet<>();
      }
    }
  }

  /** Appends that their own transaction read before making them, so that their time is unknown. */
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
   * that is not among those shown, or −1. Only the append right before is examined, unless others
   * appended the same element and the writer is unknown.
   */
  private int missing(int append, int[] before, BitSet shown, Set<Integer> repeated) {
    if (history.outcome(history.transactionOf(append)) == Outcome.ABORTED) {
      return NONE;
    }
    for (int earlier = before[append]; earlier != NONE; earlier = before[earlier]) {
      if (!reads.elements().isRepeated(earlier)) {
        return shown.get(earlier) ? NONE : earlier;
      }
      if (!repeated.contains(history.value(earlier))) {
        return earlier;
      }
    }
    return NONE;
  }

  /**
   * For each append the one to the same list before it in its transaction, or −1; null if no
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
