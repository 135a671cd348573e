package dev.assay.type;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * What reads of sets that only grow imply about transactions, from Adya's read committed up.
 * Additions of different elements do not replace one another: each element is a separate item,
 * absent at first, as where a set is a table of rows. So additions have no order, writers of one
 * set do not conflict, and an external read, that is, one before any addition to the set by the
 * same transaction, shows
 *
 * <ul>
 *   <li>that the transaction that added an element which was read precedes the reader: {@link #wr};
 *   <li>that the reader precedes the one that added an element which was not read: {@link #rw}.
 * </ul>
 *
 * An addition of unknown outcome is taken to have applied only if its transaction counts. If
 * several transactions added an element, a read that shows it saw one of them, but it is unknown
 * which: no wr. A read that lacks it saw none of them: an rw to each.
 *
 * <p>Where the reads of a set form an increasing chain and there would be far more rw edges than
 * elements read, rw leads only to what the next larger read shows in addition: later additions are
 * reached from there by wr and rw. That hides no cycle, but makes some longer.
 */
public final class SetDependencies implements TypeDependencies {
  private static final int NONE = -1;

  /**
   * Maximum number of anti-dependencies per element read or added; beyond it the key is left out.
   */
  private static final int MAX_EDGES_PER_ELEMENT = 64;

  /** Up to this many per element, all anti-dependencies of increasing reads are listed. */
  private static final int PLENTY = 4;

  private final History history;
  private final Sequences sequences;
  private final ReadsFrom reads;
  private final EdgeList wr = new EdgeList();
  private final EdgeList rw = new EdgeList();
  private int incomplete;
  private int total;
  private int partial;
  private int none;

  // The current key: external reads by size, and additions by element.
  private int[] seen;
  private int seenCount;
  private int[] additions;
  private int additionCount;

  public SetDependencies(History history, ReadsFrom reads) {
    this.history = history;
    this.sequences = history.sequences();
    this.reads = reads;
    Grouping byKey = OpsByKey.of(history, OpKind.Type.SET);
    for (int key = 0; key < byKey.groups(); key++) {
      if (byKey.first(key) < byKey.end(key)) {
        collect(byKey, key);
        addReadDependencies(key);
        boolean growing = growing();
        if (growing) {
          countSteps();
        } else {
          none++;
        }
        if (growing && lacking() > PLENTY * elements()) {
          addAlongGrowth(key);
        } else {
          addToAllMissing(key);
        }
      }
    }
  }

  /** From writers of elements to their readers; labelled with the key, marked with the read. */
  @Override
  public EdgeList wr() {
    return wr;
  }

  /** From readers to writers of what they lack; labelled with the key, marked with the read. */
  @Override
  public EdgeList rw() {
    return rw;
  }

  /** The number of sets without {@link #rw}, because there would be too many edges. */
  public int incompleteKeys() {
    return incomplete;
  }

  @Override
  public int seen(int read, int by) {
    int sequence = history.value(read);
    for (int i = 0; sequence != Values.UNKNOWN && i < sequences.length(sequence); i++) {
      int addition = reads.elements().writer(sequence, i);
      if (addition >= 0 && history.transactionOf(addition) == by) {
        return addition;
      }
    }
    return NONE;
  }

  @Override
  public int missed(int read, int by) {
    return history.value(read) == Values.UNKNOWN ? NONE : DataType.missed(history, read, by);
  }

  /** For how many sets reads show the order of all, some or none of the additions. */
  @Override
  public KnownOrders known() {
    return new KnownOrders(total, partial, none);
  }

  // ---- one key

  private void collect(Grouping byKey, int key) {
    int size = byKey.end(key) - byKey.first(key);
    seen = new int[size];
    additions = new int[size];
    seenCount = 0;
    additionCount = 0;
    int txn = NONE;
    boolean added = false;
    for (int i = byKey.first(key); i < byKey.end(key); i++) {
      int op = byKey.item(i);
      if (txn == NONE || op >= history.endOp(txn)) {
        txn = history.transactionOf(op);
        added = false;
      }
      boolean addition = history.kind(op) == OpKind.ADD;
      if (reads.counts(txn)) {
        if (addition) {
          additions[additionCount++] = op;
        } else if (!added && history.value(op) != Values.UNKNOWN) {
          seen[seenCount++] = op;
        }
      }
      added |= addition;
    }
    long[] keys = new long[size];
    for (int i = 0; i < seenCount; i++) {
      keys[i] = sequences.length(history.value(seen[i]));
    }
    seen = sorted(seen, seenCount, keys);
    for (int i = 0; i < additionCount; i++) {
      keys[i] = history.value(additions[i]);
    }
    additions = sorted(additions, additionCount, keys);
  }

  /** The operations sorted by the keys at their places. */
  private static int[] sorted(int[] ops, int count, long[] keys) {
    int[] places = new int[count];
    for (int i = 0; i < count; i++) {
      places[i] = i;
    }
    places = Sorted.by(Arrays.copyOf(places, count), i -> keys[i]);
    for (int i = 0; i < count; i++) {
      places[i] = ops[places[i]];
    }
    return places;
  }

  private void addReadDependencies(int key) {
    for (int i = 0; i < seenCount; i++) {
      int reader = history.transactionOf(seen[i]);
      int before = NONE;
      for (int e = 0; e < sequences.length(history.value(seen[i])); e++) {
        int adder = certainAdder(seen[i], e);
        if (adder != NONE && adder != reader && adder != before) {
          wr.add(adder, reader, key, seen[i]);
          before = adder;
        }
      }
    }
  }

  /** The one transaction that counts and added an element of a read, or −1. */
  private int certainAdder(int read, int element) {
    int write = reads.elements().writer(history.value(read), element);
    int adder = write < 0 ? NONE : history.transactionOf(write);
    return adder != NONE && reads.counts(adder) ? adder : NONE;
  }

  /** Whether each read contains those before it. */
  private boolean growing() {
    for (int i = 1; i < seenCount; i++) {
      if (!isSubset(history.value(seen[i - 1]), history.value(seen[i]))) {
        return false;
      }
    }
    return true;
  }

  private boolean isSubset(int small, int large) {
    int j = 0;
    for (int i = 0; i < sequences.length(small); i++, j++) {
      int element = sequences.element(small, i);
      while (j < sequences.length(large) && sequences.element(large, j) < element) {
        j++;
      }
      if (j == sequences.length(large) || sequences.element(large, j) != element) {
        return false;
      }
    }
    return true;
  }

  /** The additions of elements that a read lacks; −1 lacks all. */
  private int[] missing(int read) {
    int[] result = new int[additionCount];
    int count = 0;
    for (int addition : additions) {
      if (!contains(read, history.value(addition))) {
        result[count++] = addition;
      }
    }
    return Arrays.copyOf(result, count);
  }

  /** The additions of elements that a read shows and a smaller one lacks; −1 lacks all. */
  private int[] beyond(int smaller, int read) {
    int[] result = new int[16];
    int count = 0;
    int sequence = history.value(read);
    for (int e = 0; e < sequences.length(sequence); e++) {
      int element = sequences.element(sequence, e);
      if (contains(smaller, element)) {
        continue;
      }
      int i = firstAddition(element);
      for (; i < additionCount && history.value(additions[i]) == element; i++) {
        if (count == result.length) {
          result = Arrays.copyOf(result, count * 2);
        }
        result[count++] = additions[i];
      }
    }
    return Arrays.copyOf(result, count);
  }

  /** The place of the first addition whose element is not less than this. */
  private int firstAddition(int element) {
    int low = 0;
    int high = additionCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (history.value(additions[middle]) < element) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean contains(int read, int element) {
    return read != NONE && sequences.setContains(history.value(read), element);
  }

  private boolean sameSet(int a, int b) {
    return sequences.length(history.value(a)) == sequences.length(history.value(b));
  }

  /** An upper bound of the number of additions that all reads together lack. */
  private long lacking() {
    long lacking = 0;
    for (int i = 0; i < seenCount; i++) {
      lacking += Math.max(0, additionCount - sequences.length(history.value(seen[i])));
    }
    return lacking;
  }

  /** The first of the reads that are larger than one at a place, or the end. */
  private int nextLarger(int place) {
    int next = place;
    while (next < seenCount && sameSet(seen[place], seen[next])) {
      next++;
    }
    return next;
  }

  /** The transactions that added what the read at a place lacks and the next larger one shows. */
  private int[] later(int place, int next) {
    return next == seenCount ? missing(seen[place]) : beyond(seen[place], seen[next]);
  }

  /** For {@link #known}: goes from each distinct set read to the next larger one. */
  private void countSteps() {
    boolean single = distinctAdders(seenCount == 0 ? additions : beyond(NONE, seen[0])) <= 1;
    int steps = seenCount > 0 && sequences.length(history.value(seen[0])) > 0 ? 1 : 0;
    for (int from = 0; from < seenCount; from = nextLarger(from)) {
      int[] later = later(from, nextLarger(from));
      single &= distinctAdders(later) <= 1;
      steps += later.length > 0 ? 1 : 0;
    }
    if (single || distinctAdders(additions) <= 1) {
      total++;
    } else if (steps > 1) {
      partial++;
    } else {
      none++;
    }
  }

  /**
   * Goes from each distinct set read to the next larger one. A reader from which wr and rw do not
   * reach later additions, because no transaction is known to have made those of the next step, is
   * carried along.
   */
  private void addAlongGrowth(int key) {
    EdgeList anti = new EdgeList();
    long budget = elements() * MAX_EDGES_PER_ELEMENT;
    int[] readers = new int[seenCount];
    int carried = 0;
    for (int from = 0, next; from < seenCount; from = next) {
      next = nextLarger(from);
      for (int i = from; i < next; i++) {
        readers[carried++] = seen[i];
      }
      int[] later = later(from, next);
      budget -= (long) later.length * carried;
      if (budget < 0) {
        incomplete++;
        return;
      }
      addAll(readers, carried, later, key, anti);
      if (next < seenCount && certainAdderBeyond(seen[next], seen[from]) != NONE) {
        carried = 0;
      }
    }
    rw.addAll(anti);
  }

  /**
   * A transaction that is known to have added an element that one read shows and a smaller one
   * lacks.
   */
  private int certainAdderBeyond(int read, int smaller) {
    for (int e = 0; e < sequences.length(history.value(read)); e++) {
      int adder = certainAdder(read, e);
      if (adder != NONE && !contains(smaller, sequences.element(history.value(read), e))) {
        return adder;
      }
    }
    return NONE;
  }

  private int distinctAdders(int[] ops) {
    int first = NONE;
    for (int op : ops) {
      int adder = history.transactionOf(op);
      if (first != NONE && adder != first) {
        return 2;
      }
      first = adder;
    }
    return first == NONE ? 0 : 1;
  }

  private void addAll(int[] readers, int count, int[] later, int key, EdgeList edges) {
    for (int r = 0; r < count; r++) {
      int reader = history.transactionOf(readers[r]);
      for (int addition : later) {
        int adder = history.transactionOf(addition);
        if (adder != reader) {
          edges.add(reader, adder, key, readers[r]);
        }
      }
    }
  }

  /** Each read precedes every addition it did not see. */
  private void addToAllMissing(int key) {
    long budget = elements() * MAX_EDGES_PER_ELEMENT;
    EdgeList anti = new EdgeList();
    int[] reader = new int[1];
    for (int i = 0; i < seenCount; i++) {
      int[] later = missing(seen[i]);
      budget -= later.length;
      if (budget < 0) {
        incomplete++;
        return;
      }
      reader[0] = seen[i];
      addAll(reader, 1, later, key, anti);
    }
    rw.addAll(anti);
  }

  /** Elements added and read. */
  private long elements() {
    long elements = additionCount;
    for (int i = 0; i < seenCount; i++) {
      elements += 1 + sequences.length(history.value(seen[i]));
    }
    return elements;
  }
}
