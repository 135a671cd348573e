package dev.assay.resolve;

import dev.assay.history.Cores;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Finds the write each register read saw.
 *
 * <p>Operations are first split by ranges of keys, carrying key and value along, so that everything
 * after that touches memory in order or stays in cache: a hash table over all (key, value) pairs
 * would miss the cache on every operation. Ranges are then resolved in parallel.
 */
final class RegisterSources {
  /** Binary logarithm of the maximum number of keys per range; its tables fit the L2 cache. */
  private static final int MAX_RANGE_BITS = 15;

  /** Minimum number of ranges, if there are enough keys, so that all cores have work. */
  private static final int MIN_RANGES = 64;

  private final History history;
  private final int[] source;
  private final Map<Integer, int[]> candidates;
  private final Set<Integer> chosen;
  private final RepeatedAccess marks;
  private final boolean candidatesFit;
  private IntPredicate isLoader;

  RegisterSources(
      History history,
      int[] source,
      Map<Integer, int[]> candidates,
      Set<Integer> chosen,
      RepeatedAccess marks) {
    this.history = history;
    this.source = source;
    this.candidates = candidates;
    this.chosen = chosen;
    this.marks = marks;
    this.candidatesFit = OtherReads.candidatesFit(history);
  }

  /**
   * Fills in the sources and returns the accesses to each key.
   *
   * @param loads whether a transaction loads initial values, so that reads of them name it
   */
  List<KeyAccess> resolve(IntPredicate loads) {
    isLoader = loads;
    return overRanges(true);
  }

  /** The accesses to each key, given the sources. */
  List<KeyAccess> list() {
    return overRanges(false);
  }

  private List<KeyAccess> overRanges(boolean resolve) {
    if (history.keys().count() == 0) {
      Arrays.fill(source, ReadsFrom.NONE);
      return List.of();
    }
    KeyRanges ranges = new KeyRanges(history, rangeBits(), resolve ? source : null);
    KeyAccess[] access = new KeyAccess[ranges.count()];
    Cores.each(
        history,
        ranges.count(),
        Scratch::new,
        (scratch, range) -> {
          ranges.sort(range, scratch.entries);
          goOver(scratch, resolve);
          access[range] = scratch.access.taken();
        });
    return List.of(access);
  }

  /** Scratch space for scanning a range, reused for the next one. */
  private static final class Scratch {
    private final KeyRanges.Range entries = new KeyRanges.Range();
    private final WritesByValue writes = new WritesByValue();
    private final KeyAccess access = new KeyAccess();
  }

  private int rangeBits() {
    int bits = MAX_RANGE_BITS;
    int ranges = Cores.pieces(history, MIN_RANGES);
    while (bits > 0 && history.keys().count() >> bits < ranges) {
      bits--;
    }
    return bits;
  }

  private void goOver(Scratch scratch, boolean resolve) {
    KeyRanges.Range entries = scratch.entries;
    for (int k = 0; k < entries.keys(); k++) {
      int from = entries.start(k);
      int to = entries.end(k);
      if (from == to) {
        continue;
      }
      if (resolve) {
        resolveKey(entries, k, scratch.writes);
        marks.mark(entries, from, to);
      } else {
        lookUp(entries, from, to);
      }
      listAccess(entries, k, scratch.access);
    }
  }

  /** Resolves the reads of one key, given its operations in order. */
  private void resolveKey(KeyRanges.Range entries, int k, WritesByValue writes) {
    int from = entries.start(k);
    int to = entries.end(k);
    int key = entries.key(k);
    int[] sourceTxn = entries.sourceTxn;
    boolean others = history.hasOtherReads();
    writes.reset(to - from);
    for (int i = from; i < to; i++) {
      if (entries.isWrite(i)) {
        writes.add(entries.value[i], i);
      }
    }
    for (int i = from; i < to; i++) {
      if (entries.isWrite(i)) {
        continue;
      }
      int read = entries.op[i];
      int value = entries.value[i];
      int first = writes.first(value);
      if (others && history.values().isOther(value)) {
        source[read] = chooseOther(read, entries, from, to);
        sourceTxn[i] = transactionOf(source[read]);
      } else if (first < 0) {
        // Stored in source[] when the operations were split: here it would be random access.
        sourceTxn[i] = history.isInitial(key, value) ? ReadsFrom.INITIAL : ReadsFrom.THIN_AIR;
      } else if (writes.next(first) < 0 && !history.isInitial(key, value)) {
        int write = writes.entry(first);
        source[read] = entries.op(write);
        sourceTxn[i] = entries.txn[write];
      } else {
        source[read] = choose(read, entries, writes, first);
        sourceTxn[i] = transactionOf(source[read]);
      }
    }
  }

  private void lookUp(KeyRanges.Range entries, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!entries.isWrite(i)) {
        entries.sourceTxn[i] = transactionOf(source[entries.op[i]]);
      }
    }
  }

  private int transactionOf(int write) {
    return write < 0 ? write : history.transactionOf(write);
  }

  /** Lists the writers and readers of one key, if the order of commits can matter there. */
  private static void listAccess(KeyRanges.Range entries, int k, KeyAccess access) {
    int from = entries.start(k);
    int to = entries.end(k);
    int[] sourceTxn = entries.sourceTxn;
    if (!orderMatters(entries, from, to, sourceTxn)) {
      return;
    }
    // Operations of one transaction on one key are adjacent, because its operations are.
    int last = -1;
    boolean wrote = false;
    for (int i = from; i < to; i++) {
      int txn = entries.txn[i];
      wrote &= txn == last;
      last = txn;
      if (entries.isWrite(i)) {
        if (!wrote) {
          access.addWriter(txn);
        }
        wrote = true;
      } else if (!wrote) {
        int writer = sourceTxn[i];
        if (writer == ReadsFrom.INITIAL || (writer >= 0 && writer != txn)) {
          access.addRead(txn, writer);
        }
      }
    }
    access.endKey(entries.key(k));
  }

  private static boolean orderMatters(KeyRanges.Range entries, int from, int to, int[] sourceTxn) {
    int writes = 0;
    int reads = 0;
    boolean initial = false;
    for (int i = from; i < to; i++) {
      if (entries.isWrite(i)) {
        writes++;
      } else {
        reads++;
        initial |= sourceTxn[i] == ReadsFrom.INITIAL;
      }
    }
    return reads > 0 && (writes > 1 || (writes == 1 && initial));
  }

  // ---- values written more than once, and writes of initial values

  private int choose(int read, KeyRanges.Range entries, WritesByValue writes, int first) {
    int reader = history.transactionOf(read);
    int own = latestOwnWriteBefore(read, reader);
    int[] found = new int[8];
    int size = 0;
    boolean loaded = false;
    for (int entry = first; entry >= 0; entry = writes.next(entry)) {
      int write = entries.op(writes.entry(entry));
      if (write == own) {
        return write;
      }
      loaded |= isLoader.test(history.transactionOf(write));
      if (size == found.length) {
        found = Arrays.copyOf(found, size * 2);
      }
      found[size++] = write;
    }
    boolean maybeInitial = history.hasInitialValue(read) && !loaded;
    if (size > 1 || maybeInitial) {
      chosen.add(read);
    }
    return settle(read, reader, own >= 0, Arrays.copyOf(found, size), maybeInitial);
  }

  /** A read that is known only not to have seen a value saw any write of another one. */
  private int chooseOther(int read, KeyRanges.Range entries, int from, int to) {
    int reader = history.transactionOf(read);
    int excluded = history.values().excluded(history.value(read));
    int own = latestOwnWriteBefore(read, reader);
    if (own >= 0 && history.value(own) != excluded) {
      return own;
    }
    if (!candidatesFit) {
      return ReadsFrom.NONE;
    }
    int key = history.key(read);
    int[] found = new int[to - from];
    int size = 0;
    boolean loaded = false;
    for (int i = from; i < to; i++) {
      if (entries.isWrite(i) && entries.value[i] != excluded) {
        found[size++] = entries.op(i);
        loaded |= history.isInitial(key, entries.value[i]) && isLoader.test(entries.txn[i]);
      }
    }
    boolean maybeInitial = !history.isInitial(key, excluded) && !loaded;
    if (size == 0 && !maybeInitial) {
      return ReadsFrom.THIN_AIR;
    }
    if (size > 1 || maybeInitial) {
      chosen.add(read);
    }
    return settle(read, reader, own >= 0, Arrays.copyOf(found, size), maybeInitial);
  }

  /** Drops candidates that read consistency rules out; if one is left, that is the source. */
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
    chosen.remove(read);
    candidates.put(read, Arrays.copyOf(left, size));
    return ReadsFrom.AMBIGUOUS;
  }

  /**
   * Every candidate is an anomaly. If all are of one kind, any will do; otherwise none is chosen.
   */
  private int leastBad(int read, int reader, int[] found) {
    for (int write : found) {
      if (kindOfChoice(write, read, reader) != kindOfChoice(found[0], read, reader)) {
        chosen.remove(read);
        candidates.put(read, found);
        return ReadsFrom.AMBIGUOUS;
      }
    }
    return found[0];
  }

  /** The kind of anomaly that a candidate would be. */
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
}
