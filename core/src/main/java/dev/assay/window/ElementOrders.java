package dev.assay.window;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.resolve.Elements;
import dev.assay.resolve.ReadsFrom;
import dev.assay.window.EffectOrder.Because;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lists and sets of a window: which transactions a cut must not separate, and their order. */
final class ElementOrders {
  /** Maximum number of elements of a list that no read shows to be ordered after all reads. */
  private static final int MOST_UNSEEN = 64;

  private final History history;
  private final ReadsFrom reads;
  private final Elements elements;
  private final Sequences sequences;
  private final Together together;

  /** For each list the trace of its longest read, or −1. */
  private final int[] mainTrace;

  /** For each list and set the writes of elements by transactions that count, in order. */
  private final IntList[] writes;

  /** For each list and set the first transaction that counts and uses it. */
  private final int[] firstUse;

  /** Takes pairs of transactions that must not be separated. */
  interface Together {
    void keep(int one, int other);
  }

  ElementOrders(Window window, Together together) {
    this.history = window.history;
    this.reads = window.reads;
    this.elements = reads.elements();
    this.sequences = history.sequences();
    this.together = together;
    this.mainTrace = new int[history.keys().count()];
    this.writes = new IntList[history.keys().count()];
    this.firstUse = new int[history.keys().count()];
    Arrays.fill(mainTrace, -1);
    Arrays.fill(firstUse, Integer.MAX_VALUE);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        int key = history.key(op);
        firstUse[key] = Math.min(firstUse[key], txn);
        if (history.kind(op).writesElement()) {
          writes[key] = writes[key] == null ? new IntList(4) : writes[key];
          writes[key].add(op);
        } else if (isRead(op) && history.kind(op) == OpKind.LIST_READ) {
          lengthen(history.key(op), sequences.trace(history.value(op)));
        }
      }
    }
  }

  private boolean isRead(int op) {
    return history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN;
  }

  private void lengthen(int key, int trace) {
    int main = mainTrace[key];
    if (main < 0 || sequences.traceLength(trace) > sequences.traceLength(main)) {
      mainTrace[key] = trace;
    }
  }

  /** Reports all pairs of transactions that must not be separated. */
  void keepTogether() {
    Trace[] traces = new Trace[mainTrace.length];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        if (!isRead(op)) {
          continue;
        }
        int key = history.key(op);
        if (history.kind(op).type().commutes()) {
          keepSet(txn, op);
        } else if (sequences.trace(history.value(op)) != mainTrace[key]) {
          keepAll(txn, op);
        } else {
          traces[key] = traces[key] == null ? new Trace(key) : traces[key];
          traces[key].keep(txn, sequences.length(history.value(op)));
        }
      }
    }
  }

  /** A read that disagrees with others stays with all that its key is used for. */
  private void keepAll(int txn, int read) {
    together.keep(firstUse[history.key(read)], txn);
    keepWithWrites(txn, history.key(read));
    keepWriters(txn, history.key(read), history.value(read), true);
  }

  /** Keeps a read with everything written to its key. */
  private void keepWithWrites(int txn, int key) {
    IntList all = writes[key];
    for (int i = 0; all != null && i < all.size(); i++) {
      together.keep(history.transactionOf(all.get(i)), txn);
    }
  }

  private void keepSet(int txn, int read) {
    int sequence = history.value(read);
    IntList all = writes[history.key(read)];
    for (int i = 0; all != null && i < all.size(); i++) {
      int writer = history.transactionOf(all.get(i));
      if (writer > txn) {
        break;
      }
      if (writer < txn && !sequences.setContains(sequence, history.value(all.get(i)))) {
        together.keep(writer, txn);
        break;
      }
    }
    keepWriters(txn, history.key(read), sequence, false);
  }

  /** Keeps a read with writers that come later or do not count; with all of them if asked to. */
  private void keepWriters(int txn, int key, int sequence, boolean all) {
    for (int i = 0; i < sequences.length(sequence); i++) {
      int write = elements.writer(sequence, i);
      if (write == ReadsFrom.AMBIGUOUS) {
        together.keep(-1, txn);
        keepWithWrites(txn, key);
      } else if (write >= 0) {
        int writer = history.transactionOf(write);
        if (all || writer > txn || !reads.counts(writer)) {
          together.keep(writer, txn);
        }
      }
    }
  }

  /** What reads of one list imply, by how many elements of its trace they show. */
  private final class Trace {
    /** The first transaction that wrote an element which a read of this length lacks. */
    private final int[] firstMissing;

    /** The last transaction that wrote an element which a read of this length shows. */
    private final int[] lastWriter;

    /** The first transaction that does not count and wrote an element shown; −1 if unclear. */
    private final int[] firstLost;

    private final int key;

    Trace(int key) {
      this.key = key;
      int trace = mainTrace[key];
      int length = sequences.traceLength(trace);
      firstMissing = new int[length + 1];
      lastWriter = new int[length + 1];
      firstLost = new int[length + 1];
      Arrays.fill(firstMissing, Integer.MAX_VALUE);
      Arrays.fill(lastWriter, -1);
      Arrays.fill(firstLost, Integer.MAX_VALUE);
      Map<Integer, Integer> places = places(trace);
      IntList all = writes[key] == null ? new IntList() : writes[key];
      for (int i = 0; i < all.size(); i++) {
        int writer = history.transactionOf(all.get(i));
        int until = places.getOrDefault(all.get(i), length);
        firstMissing[until] = Math.min(firstMissing[until], writer);
      }
      for (int i = length - 1; i >= 0; i--) {
        firstMissing[i] = Math.min(firstMissing[i], firstMissing[i + 1]);
      }
      for (int i = 0; i < length; i++) {
        int write = writerInTrace(trace, i);
        int writer = write < 0 ? -1 : history.transactionOf(write);
        lastWriter[i + 1] = Math.max(lastWriter[i], writer);
        boolean lost =
            write == ReadsFrom.AMBIGUOUS
                || write >= 0 && (!reads.counts(writer) || places.get(write) != i);
        firstLost[i + 1] = lost ? Math.min(firstLost[i], writer) : firstLost[i];
        if (writer >= 0 && writer < lastWriter[i]) {
          // The list shows them in another order.
          together.keep(writer, lastWriter[i]);
        }
      }
    }

    void keep(int txn, int length) {
      if (firstMissing[length] < txn) {
        together.keep(firstMissing[length], txn);
      }
      if (lastWriter[length] > txn) {
        together.keep(lastWriter[length], txn);
      }
      if (firstLost[length] == -1) {
        together.keep(-1, txn);
        keepWithWrites(txn, key);
      } else if (firstLost[length] != Integer.MAX_VALUE) {
        together.keep(firstLost[length], txn);
      }
    }
  }

  /** The first place in a trace of each write of its elements. */
  private Map<Integer, Integer> places(int trace) {
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < sequences.traceLength(trace); i++) {
      places.putIfAbsent(writerInTrace(trace, i), i);
    }
    return places;
  }

  private int writerInTrace(int trace, int index) {
    return elements.traceWriter(trace, index);
  }

  /**
   * The writes of a list before a cut in the order of their elements: as reads show it, then by the
   * places of the writes.
   */
  int[] order(int key, int cut, int[] places) {
    IntList all = writes[key];
    if (all == null) {
      return new int[0];
    }
    Map<Integer, Integer> inTrace = mainTrace[key] < 0 ? Map.of() : places(mainTrace[key]);
    int[] order = new int[all.size()];
    int shown = shown(key, cut, inTrace, order);
    int size = shown;
    for (int i = 0; i < all.size(); i++) {
      if (!inTrace.containsKey(all.get(i)) && history.transactionOf(all.get(i)) < cut) {
        insert(order, shown, size++, all.get(i), places);
      }
    }
    return Arrays.copyOf(order, size);
  }

  /** The number of elements of a list before a cut whose order reads show. */
  int shown(int key, int cut) {
    return writes[key] == null || mainTrace[key] < 0
        ? 0
        : shown(key, cut, places(mainTrace[key]), new int[writes[key].size()]);
  }

  private int shown(int key, int cut, Map<Integer, Integer> places, int[] order) {
    int trace = mainTrace[key];
    int size = 0;
    for (int i = 0; trace >= 0 && i < sequences.traceLength(trace); i++) {
      int write = writerInTrace(trace, i);
      boolean first = write >= 0 && places.get(write) == i;
      if (first
          && reads.counts(history.transactionOf(write))
          && history.transactionOf(write) < cut) {
        order[size++] = write;
      }
    }
    return size;
  }

  private static void insert(int[] order, int from, int to, int write, int[] places) {
    int place = to;
    while (place > from && places[order[place - 1]] > places[write]) {
      order[place] = order[place - 1];
      place--;
    }
    order[place] = write;
  }

  /** Adds what reads of lists show about the order of transactions. */
  void addTo(EffectOrder order) {
    Map<Integer, List<Integer>> unseen = new HashMap<>();
    for (int key = 0; key < mainTrace.length; key++) {
      if (mainTrace[key] >= 0) {
        unseen.put(key, addTrace(order, key));
      }
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        int key = history.key(op);
        if (!isRead(op) || sequences.trace(history.value(op)) != mainTrace[key]) {
          continue;
        }
        int length = sequences.length(history.value(op));
        if (length > 0 && writerInTrace(mainTrace[key], length - 1) >= 0) {
          int writer = history.transactionOf(writerInTrace(mainTrace[key], length - 1));
          order.before(writer, txn, Because.READ);
        }
        if (length < sequences.traceLength(mainTrace[key])) {
          int next = writerInTrace(mainTrace[key], length);
          order.before(txn, next < 0 ? txn : history.transactionOf(next), Because.NOT_READ);
        } else {
          for (int writer : unseen.get(key)) {
            order.before(txn, writer, Because.NOT_READ);
          }
        }
      }
    }
  }

  /** Adds the order of a list; the transactions whose elements it does not show. */
  private List<Integer> addTrace(EffectOrder order, int key) {
    int trace = mainTrace[key];
    int last = -1;
    for (int i = 0; i < sequences.traceLength(trace); i++) {
      int write = writerInTrace(trace, i);
      if (write >= 0 && reads.counts(history.transactionOf(write))) {
        int writer = history.transactionOf(write);
        order.before(last < 0 ? writer : last, writer, Because.WRITTEN);
        last = writer;
      }
    }
    Map<Integer, Integer> places = places(trace);
    List<Integer> unseen = new ArrayList<>();
    for (int i = 0; writes[key] != null && i < writes[key].size(); i++) {
      if (!places.containsKey(writes[key].get(i)) && unseen.size() < MOST_UNSEEN) {
        int writer = history.transactionOf(writes[key].get(i));
        unseen.add(writer);
        order.before(last < 0 ? writer : last, writer, Because.WRITTEN);
      }
    }
    return unseen;
  }

  /** For each list, the length of the longest read of its trace before a cut. */
  int[] longestReads(int cut) {
    int[] longest = new int[mainTrace.length];
    for (int txn = 0; txn < cut; txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        int key = history.key(op);
        if (isRead(op) && sequences.trace(history.value(op)) == mainTrace[key]) {
          longest[key] = Math.max(longest[key], sequences.length(history.value(op)));
        }
      }
    }
    return longest;
  }
}
