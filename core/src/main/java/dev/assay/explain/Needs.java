package dev.assay.explain;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which operations can be left out of a history without creating a violation.
 *
 * <p>Leaving operations out is sound when a history that satisfies a level still does afterwards:
 * then whatever the part violates, the whole violates too. Leaving out a read or a transaction only
 * removes constraints. Leaving out a write may turn a good read into a bad one, so an operation is
 * kept only together with what it <em>needs</em>:
 *
 * <ul>
 *   <li>A register read needs every write of its value to its key, so that it has the same source,
 *       or the same candidates, as before. It also needs the preceding write of the key in its own
 *       transaction; without that, a read of another version would be external, or would repeat an
 *       earlier read.
 *   <li>When an append is left out, its element is removed from all reads. A list read shows
 *       everything that precedes its last element, so every order that explains the whole explains
 *       the part. It needs its last element, which says which version it saw; without it, reads of
 *       different versions might look like a lost update, and a read that saw one transaction might
 *       seem to have seen another, or half of it. A read that does not end in its transaction's own
 *       appends needs these, as above.
 *   <li>If an element is added more than once, either all its additions stay or none; otherwise an
 *       element added twice could look like one write applied twice.
 *   <li>A read of a type whose writes do not name versions, such as a counter, needs every write of
 *       the key.
 *   <li>A predicate operation needs the versions of rows that explain its result ({@link
 *       PredicateNeeds}). Without it its rows are plain reads and writes.
 * </ul>
 */
final class Needs {
  private final History history;

  /** What each operation of the given transactions needs; null for nothing. */
  private final int[][] needs;

  /** Null where there are no predicate operations. */
  private final PredicateNeeds predicates;

  private long[] pairs;
  private Grouping writes;

  /** Finds what the operations of some transactions need. */
  Needs(History history, BitSet transactions) {
    this.history = history;
    this.needs = new int[history.operationCount()][];
    this.predicates = history.predicates().count() == 0 ? null : new PredicateNeeds(history);
    pairs = wanted(transactions);
    findWrites();
    int[][] allWrites = new int[history.keys().count()][];
    for (int txn = next(transactions, 0); txn >= 0; txn = next(transactions, txn + 1)) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        if (kind.isWrite()) {
          needs[op] = kind.writesElement() ? ofElement(op) : null;
        } else if (kind.readsSequence()) {
          needs[op] = ofSequence(txn, op);
        } else if (kind.type().namesVersions()) {
          needs[op] = ofRead(txn, op);
        } else if (!kind.isPredicate()) {
          int key = history.key(op);
          if (allWrites[key] == null) {
            allWrites[key] = allWrites(op);
          }
          needs[op] = allWrites[key];
        }
      }
    }
  }

  private static int next(BitSet set, int from) {
    return set.nextSetBit(from);
  }

  /** Removes operations whose needs are not in the set, until there are none. */
  void close(BitSet kept) {
    do {
      closeItems(kept);
      if (predicates != null) {
        // No operation needs a predicate operation, so the others stay as they are.
        predicates.close(kept);
      }
    } while (keepLoaders(kept));
  }

  private void closeItems(BitSet kept) {
    boolean changed;
    do {
      changed = false;
      for (int op = next(kept, 0); op >= 0; op = next(kept, op + 1)) {
        if (needs[op] != null && !holdsAll(needs[op], kept)) {
          kept.clear(op);
          changed = true;
        }
      }
    } while (changed);
  }

  private static boolean holdsAll(int[] operations, BitSet kept) {
    for (int op : operations) {
      if (!kept.get(op)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A transaction that only writes initial values is a loader; one that also does something else
   * makes reads of them ambiguous. Leaving out operations must not turn it into a loader.
   */
  private boolean keepLoaders(BitSet kept) {
    boolean changed = false;
    for (int op = next(kept, 0); op >= 0; op = next(kept, op + 1)) {
      if (isInitialWrite(op)) {
        int txn = history.transactionOf(op);
        if (!loads(txn, null) && loads(txn, kept)) {
          kept.clear(op);
          changed = true;
        }
      }
    }
    return changed;
  }

  private boolean loads(int txn, BitSet kept) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if ((kept == null || kept.get(op)) && !isInitialWrite(op)) {
        return false;
      }
    }
    return true;
  }

  private boolean isInitialWrite(int op) {
    return history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
  }

  /** The transactions of everything that some operations need. */
  BitSet transactionsOf(BitSet operations) {
    BitSet all = new BitSet();
    if (predicates != null) {
      predicates.writesNeeded(operations).stream()
          .forEach(write -> all.set(history.transactionOf(write)));
    }
    for (int op = next(operations, 0); op >= 0; op = next(operations, op + 1)) {
      if (needs[op] != null) {
        for (int other : needs[op]) {
          all.set(history.transactionOf(other));
        }
      }
      if (history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN) {
        Sequences sequences = history.sequences();
        for (int i = 0; i < sequences.length(history.value(op)); i++) {
          for (int write : writesOf(history.key(op), sequences.element(history.value(op), i))) {
            all.set(history.transactionOf(write));
          }
        }
      }
    }
    return all;
  }

  /** The writes of a value to a key, or appends or additions of an element. */
  int[] writesOf(int key, int value) {
    int at = Arrays.binarySearch(pairs, pair(key, value));
    return at < 0 ? new int[0] : writes.items(at);
  }

  // ---- kinds of operations

  private int[] ofRead(int txn, int read) {
    if (history.value(read) == Values.UNKNOWN) {
      return null;
    }
    int[] sources = writesOf(history.key(read), history.value(read));
    if (history.isOtherRead(read) || (sources.length == 0 && history.hasVersionNumbers())) {
      sources = possibleWrites(read);
    }
    for (int op = read - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) == history.key(read) && history.kind(op).isWrite()) {
        int[] all = Arrays.copyOf(sources, sources.length + 1);
        all[sources.length] = op;
        return all;
      }
    }
    return sources;
  }

  /** The writes that a read may have seen of which not the version but something else is known. */
  private int[] possibleWrites(int read) {
    return IntStream.range(0, history.operationCount())
        .filter(op -> history.kind(op) == OpKind.WRITE && history.key(op) == history.key(read))
        .filter(op -> history.agrees(read, history.value(op)))
        .toArray();
  }

  private int[] ofSequence(int txn, int read) {
    if (history.value(read) == Values.UNKNOWN) {
      return null;
    }
    List<Integer> all = new ArrayList<>();
    List<Integer> own = new ArrayList<>();
    for (int op = history.firstOp(txn); op < read; op++) {
      if (history.key(op) == history.key(read) && history.kind(op).isWrite()) {
        own.add(op);
      }
    }
    if (!showsOwn(read, own)) {
      all.addAll(own);
    }
    int sequence = history.value(read);
    int length = history.sequences().length(sequence);
    if (history.kind(read).type().ordersVersions() && length > 0) {
      int last = history.sequences().element(sequence, length - 1);
      for (int write : writesOf(history.key(read), last)) {
        all.add(write);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether a list read ends in these appends, or a set read has these additions. */
  private boolean showsOwn(int read, List<Integer> own) {
    int sequence = history.value(read);
    Sequences sequences = history.sequences();
    int length = sequences.length(sequence);
    boolean list = history.kind(read).type().ordersVersions();
    if (list && own.size() > length) {
      return false;
    }
    for (int i = 0; i < own.size(); i++) {
      int value = history.value(own.get(i));
      boolean shown = list && sequences.element(sequence, length - own.size() + i) == value;
      for (int j = 0; !list && !shown && j < length; j++) {
        shown = sequences.element(sequence, j) == value;
      }
      if (!shown) {
        return false;
      }
    }
    return true;
  }

  private int[] ofElement(int write) {
    int[] same = writesOf(history.key(write), history.value(write));
    return same.length > 1 ? same : null;
  }

  private int[] allWrites(int read) {
    OpKind write = history.kind(read).type().writeKind();
    List<Integer> all = new ArrayList<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.key(op) == history.key(read) && history.kind(op) == write) {
        all.add(op);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  // ---- the writes of each value

  private static long pair(int key, int value) {
    return ((long) key << 32) | (value & 0xffffffffL);
  }

  /** The pairs of key and value that these transactions read or write. */
  private long[] wanted(BitSet transactions) {
    long[] all = new long[64];
    int size = 0;
    for (int txn = next(transactions, 0); txn >= 0; txn = next(transactions, txn + 1)) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        if (kind.isPredicate() || history.value(op) == Values.UNKNOWN) {
          continue;
        }
        int sequence = kind.readsSequence() ? history.value(op) : -1;
        int count = sequence < 0 ? 1 : history.sequences().length(sequence);
        if (size + count > all.length) {
          all = Arrays.copyOf(all, Math.max(size + count, 2 * size));
        }
        for (int i = 0; i < count; i++) {
          int value = sequence < 0 ? history.value(op) : history.sequences().element(sequence, i);
          all[size++] = pair(history.key(op), value);
        }
      }
    }
    Arrays.sort(all, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** Groups the writes by the pairs that are wanted. */
  private void findWrites() {
    BitSet keys = new BitSet();
    for (long pair : pairs) {
      keys.set((int) (pair >> 32));
    }
    writes =
        Grouping.of(
            pairs.length,
            history.operationCount(),
            op ->
                history.kind(op).writesNamed() && keys.get(history.key(op))
                    ? Arrays.binarySearch(pairs, pair(history.key(op), history.value(op)))
                    : -1);
  }
}
