package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the write each register read saw.
 *
 * <p>Operations are first split by ranges of keys, carrying key and value along, so that everything
 * after that touches memory in order or stays in cache: a hash table over all (key, value) pairs
 * would miss the cache on every operation. Ranges are then resolved in parallel.
 */
final class RegisterSources {
  /** Keys a range: its tables stay in the second-level cache. */
  private static final int RANGE_BITS = 14;

  private final History history;
  private final int[] source;
  private final Map<Integer, int[]> candidates;
  private final BitSet predicateKeys = new BitSet();

  RegisterSources(History history, int[] source, Map<Integer, int[]> candidates) {
    this.history = history;
    this.source = source;
    this.candidates = candidates;
  }

  /** Fills in the sources and returns who accessed which key. */
  List<KeyAccess> resolve() {
    return overRanges(true);
  }

  /** Who accessed which key, given the sources. */
  List<KeyAccess> list() {
    return overRanges(false);
  }

  private List<KeyAccess> overRanges(boolean resolve) {
    if (history.keys().count() == 0) {
      return List.of();
    }
    collectPredicateKeys();
    KeyRanges ranges = new KeyRanges(history, RANGE_BITS);
    return IntStream.range(0, ranges.count())
        .parallel()
        .mapToObj(range -> goOver(ranges, range, resolve))
        .toList();
  }

  /** Keys that predicate updates write: what a plain read of them saw is not ours to say. */
  private void collectPredicateKeys() {
    for (int op = 0; history.predicates().count() > 0 && op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.UPDATE) {
        int predicate = history.value(op);
        int end = history.predicates().endRow(predicate);
        for (int row = history.predicates().firstRow(predicate); row < end; row++) {
          predicateKeys.set(history.predicates().rowKey(row));
        }
      }
    }
  }

  private KeyAccess goOver(KeyRanges ranges, int range, boolean resolve) {
    int[] order = ranges.sortedByKey(range);
    WritesByValue writes = new WritesByValue();
    KeyAccess access = new KeyAccess();
    int from = 0;
    while (from < order.length) {
      int key = ranges.key(order[from]);
      int to = from + 1;
      while (to < order.length && ranges.key(order[to]) == key) {
        to++;
      }
      if (!predicateKeys.get(key)) {
        if (resolve) {
          resolveKey(ranges, order, from, to, writes);
        }
        listAccess(ranges, order, from, to, access);
      }
      from = to;
    }
    access.trim();
    return access;
  }

  /** Resolves the reads of one key, given its operations in order. */
  private void resolveKey(KeyRanges ranges, int[] order, int from, int to, WritesByValue writes) {
    writes.reset(to - from);
    for (int i = from; i < to; i++) {
      if (ranges.isWrite(order[i])) {
        writes.add(ranges.value(order[i]), ranges.op(order[i]));
      }
    }
    for (int i = from; i < to; i++) {
      if (!ranges.isWrite(order[i])) {
        int read = ranges.op(order[i]);
        int value = ranges.value(order[i]);
        int first = writes.first(value);
        if (first < 0) {
          source[read] = history.isInitial(value) ? ReadsFrom.INITIAL : ReadsFrom.THIN_AIR;
        } else if (writes.next(first) < 0 && !history.isInitial(value)) {
          source[read] = writes.op(first);
        } else {
          source[read] = choose(read, writes, first);
        }
      }
    }
  }

  /** Lists who wrote and read one key, if the order of commits can matter there. */
  private void listAccess(KeyRanges ranges, int[] order, int from, int to, KeyAccess access) {
    if (!orderMatters(ranges, order, from, to)) {
      return;
    }
    // Operations of one transaction on one key stand together, because operations of one
    // transaction do.
    int txn = -1;
    boolean wrote = false;
    for (int i = from; i < to; i++) {
      int op = ranges.op(order[i]);
      if (txn < 0 || op >= history.endOp(txn)) {
        txn = history.transactionOf(op);
        wrote = false;
      }
      if (ranges.isWrite(order[i])) {
        if (!wrote) {
          access.addWriter(txn);
        }
        wrote = true;
      } else if (!wrote) {
        int write = source[op];
        int writer = write >= 0 ? history.transactionOf(write) : write;
        if (writer == ReadsFrom.INITIAL || (writer >= 0 && writer != txn)) {
          access.addRead(txn, writer);
        }
      }
    }
    access.endKey(ranges.key(order[from]));
  }

  private boolean orderMatters(KeyRanges ranges, int[] order, int from, int to) {
    int writes = 0;
    int reads = 0;
    boolean initial = false;
    for (int i = from; i < to; i++) {
      if (ranges.isWrite(order[i])) {
        writes++;
      } else {
        reads++;
        initial |= source[ranges.op(order[i])] == ReadsFrom.INITIAL;
      }
    }
    return reads > 0 && (writes > 1 || (writes == 1 && initial));
  }

  // ---- values written more than once, and writes of initial values

  private int choose(int read, WritesByValue writes, int first) {
    int reader = history.transactionOf(read);
    int own = latestOwnWriteBefore(read, reader);
    int[] found = new int[8];
    int size = 0;
    boolean loaded = false;
    for (int entry = first; entry >= 0; entry = writes.next(entry)) {
      int write = writes.op(entry);
      if (write == own) {
        return write;
      }
      loaded |= isLoader(history.transactionOf(write));
      if (size == found.length) {
        found = Arrays.copyOf(found, size * 2);
      }
      found[size++] = write;
    }
    boolean maybeInitial = history.isInitial(history.value(read)) && !loaded;
    return settle(read, reader, own >= 0, Arrays.copyOf(found, size), maybeInitial);
  }

  /** Drops choices that read consistency rules out; one left is the answer. */
  private int settle(int read, int reader, boolean wroteBefore, int[] found, boolean maybeInitial) {
    int[] left = new int[found.length + 1];
    int size = 0;
    if (maybeInitial && !wroteBefore) {
      left[size++] = ReadsFrom.INITIAL;
    }
    for (int write : found) {
      int writer = history.transactionOf(write);
      boolean possible =
          writer != reader
              && !wroteBefore
              && history.outcome(writer) != Outcome.ABORTED
              && isFinal(write, writer);
      if (possible) {
        left[size++] = write;
      }
    }
    if (size == 0) {
      return maybeInitial ? ReadsFrom.INITIAL : leastBad(read, reader, found);
    }
    if (size == 1) {
      return left[0];
    }
    candidates.put(read, Arrays.copyOf(left, size));
    return ReadsFrom.AMBIGUOUS;
  }

  /** Every choice is an anomaly. Those of one kind are alike; between kinds nothing is chosen. */
  private int leastBad(int read, int reader, int[] found) {
    for (int write : found) {
      if (kindOfChoice(write, read, reader) != kindOfChoice(found[0], read, reader)) {
        candidates.put(read, found);
        return ReadsFrom.AMBIGUOUS;
      }
    }
    return found[0];
  }

  /** Which anomaly a choice is. */
  private int kindOfChoice(int write, int read, int reader) {
    int writer = history.transactionOf(write);
    if (writer == reader) {
      return write < read ? 1 : 2;
    }
    if (history.outcome(writer) == Outcome.ABORTED) {
      return 4;
    }
    return isFinal(write, writer) ? 0 : 3;
  }

  private int latestOwnWriteBefore(int read, int reader) {
    int key = history.key(read);
    for (int op = read - 1; op >= history.firstOp(reader); op--) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == key) {
        return op;
      }
    }
    return -1;
  }

  private boolean isFinal(int write, int writer) {
    int key = history.key(write);
    for (int op = write + 1; op < history.endOp(writer); op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == key) {
        return false;
      }
    }
    return true;
  }

  /**
   * A transaction that reads nothing and writes only initial values loads them, if it took effect
   * and nothing in its session came before it.
   */
  private boolean isLoader(int txn) {
    if (!history.isCommitted(txn) || history.placeInSession(txn) > 0) {
      return false;
    }
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) != OpKind.WRITE || !history.isInitial(history.value(op))) {
        return false;
      }
    }
    return history.endOp(txn) > history.firstOp(txn);
  }
}
