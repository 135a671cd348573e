package dev.assay.check.replay;

import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The versions that transactions of a window must find and those that they leave, if they run one
 * after another. A version of a register is the write of its value. A version of a list is the
 * number of its elements, up to the length of its longest read.
 */
final class Footprints {
  /** In place of a version of a list: elements that no read shows, after all that reads show. */
  static final int AT_THE_END = -1;

  private static final int NOTHING = -1;

  private final History history;
  private final ReadsFrom reads;

  /** By key. */
  private final OpKind.Type[] types;

  private final int[] firstFound;
  private final int[] firstLeft;
  private final IntList foundKeys = new IntList();
  private final IntList foundVersions = new IntList();
  private final IntList leftKeys = new IntList();
  private final IntList leftVersions = new IntList();

  /** The transactions that saw what there never is if transactions run one after another. */
  private final BitSet impossible = new BitSet();

  /** The transaction that is being added. */
  private int adding;

  private final Lists lists;

  Footprints(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    this.types = types(history);
    this.firstFound = new int[history.transactionCount() + 1];
    this.firstLeft = new int[history.transactionCount() + 1];
    this.lists = history.uses(OpKind.Type.LIST) ? new Lists() : null;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      adding = txn;
      if (reads.counts(txn)) {
        add(txn);
      }
      firstFound[txn + 1] = foundKeys.size();
      firstLeft[txn + 1] = leftKeys.size();
    }
  }

  /** The type of each key: that of its last operation. */
  private static OpKind.Type[] types(History history) {
    OpKind.Type[] types = new OpKind.Type[history.keys().count()];
    for (int op = 0; op < history.operationCount(); op++) {
      types[history.key(op)] = history.kind(op).type();
    }
    return types;
  }

  /** The number of versions of all keys, and one more that there never is. */
  int versions() {
    int registers = history.operationCount() + history.keys().count();
    return 1 + (lists == null ? registers : lists.versions);
  }

  /** The version that a key has at the beginning. */
  int initial(int key) {
    return isList(key) ? lists.empty[key] : history.operationCount() + key;
  }

  /** The version of a list in which it has all that reads show. */
  int longest(int key) {
    return lists.empty[key] + lists.length(key);
  }

  private boolean isList(int key) {
    return types[key] == OpKind.Type.LIST;
  }

  /** Whether some transaction saw what there never is if transactions run one after another. */
  boolean isImpossible() {
    return !impossible.isEmpty();
  }

  /** Whether this one did. */
  boolean isImpossible(int txn) {
    return impossible.get(txn);
  }

  // ---- what transactions find, and what they leave

  int firstFound(int txn) {
    return firstFound[txn];
  }

  int endFound(int txn) {
    return firstFound[txn + 1];
  }

  int foundKey(int place) {
    return foundKeys.get(place);
  }

  int foundVersion(int place) {
    return foundVersions.get(place);
  }

  int firstLeft(int txn) {
    return firstLeft[txn];
  }

  int endLeft(int txn) {
    return firstLeft[txn + 1];
  }

  int leftKey(int place) {
    return leftKeys.get(place);
  }

  /** A version, or {@link #AT_THE_END}. */
  int leftVersion(int place) {
    return leftVersions.get(place);
  }

  /** For each version the transactions that find it. */
  Grouping finders() {
    return Grouping.of(versions(), foundVersions, transactions(firstFound));
  }

  /** For each key the transactions that leave another version of it. */
  Grouping writers() {
    return Grouping.of(history.keys().count(), leftKeys, transactions(firstLeft));
  }

  /** For each transaction the one before it in its session that counts, or −1. */
  int[] previousInSessions() {
    int[] last = new int[history.sessionCount()];
    Arrays.fill(last, -1);
    int[] previous = new int[history.transactionCount()];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      previous[txn] = last[history.session(txn)];
      if (reads.counts(txn)) {
        last[history.session(txn)] = txn;
      }
    }
    return previous;
  }

  boolean endedBefore(int txn, long start) {
    long end = history.knownEnd(txn);
    return end != History.ABSENT && end < start;
  }

  /** For each transaction when the first of those from there on that count ended. */
  long[] laterEnds() {
    long[] ends = new long[history.transactionCount() + 1];
    ends[history.transactionCount()] = Long.MAX_VALUE;
    for (int txn = history.transactionCount() - 1; txn >= 0; txn--) {
      long end = reads.counts(txn) ? history.knownEnd(txn) : History.ABSENT;
      ends[txn] = end == History.ABSENT ? ends[txn + 1] : Math.min(end, ends[txn + 1]);
    }
    return ends;
  }

  /** For each version when the last of those that find it began. */
  long[] lastStarts(Grouping finders) {
    long[] starts = new long[versions()];
    Arrays.fill(starts, History.ABSENT);
    for (int version = 0; version < starts.length; version++) {
      for (int i = finders.first(version); i < finders.end(version); i++) {
        starts[version] = Math.max(starts[version], history.start(finders.item(i)));
      }
    }
    return starts;
  }

  /** For each version the transaction that leaves it, or −1. */
  int[] leavers() {
    int[] leavers = new int[versions()];
    Arrays.fill(leavers, NOTHING);
    IntList transactions = transactions(firstLeft);
    for (int i = 0; i < transactions.size(); i++) {
      if (leftVersions.get(i) != AT_THE_END) {
        leavers[leftVersions.get(i)] = transactions.get(i);
      }
    }
    return leavers;
  }

  /** The transaction that writes a version of a register; −1 if that is before the window. */
  int writer(int version) {
    return version < history.operationCount() ? history.transactionOf(version) : NOTHING;
  }

  private static IntList transactions(int[] places) {
    IntList transactions = new IntList(places[places.length - 1]);
    for (int txn = 0; txn < places.length - 1; txn++) {
      for (int i = places[txn]; i < places[txn + 1]; i++) {
        transactions.add(txn);
      }
    }
    return transactions;
  }

  /** For each register its last write by transactions in this order, or −1. */
  int[] lastWrites(int[] order) {
    int[] last = new int[history.keys().count()];
    Arrays.fill(last, NOTHING);
    for (int txn : order) {
      for (int i = firstLeft[txn]; i < firstLeft[txn + 1]; i++) {
        if (!isList(leftKeys.get(i))) {
          last[leftKeys.get(i)] = leftVersions.get(i);
        }
      }
    }
    return last;
  }

  /** For each list the appends by transactions in this order; null for none. */
  IntList[] appends(int[] order) {
    IntList[] appends = new IntList[history.keys().count()];
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.APPEND) {
          int key = history.key(op);
          appends[key] = appends[key] == null ? new IntList(4) : appends[key];
          appends[key].add(op);
        }
      }
    }
    return appends;
  }

  private void finds(int key, int version) {
    foundKeys.add(key);
    foundVersions.add(version);
  }

  private void leaves(int key, int version) {
    leftKeys.add(key);
    leftVersions.add(version);
  }

  private void add(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int key = history.key(op);
      boolean known = history.value(op) != Values.UNKNOWN;
      if (history.kind(op).type() != types[key]) {
        impossible.set(adding);
      } else if (history.kind(op) == OpKind.READ && known) {
        read(txn, op);
      } else if (history.kind(op) == OpKind.WRITE) {
        if (!reads.isOverwritten(op)) {
          leaves(key, op);
        }
      } else if (isList(key) && known) {
        lists.add(op);
      } else if (known) {
        impossible.set(adding);
      }
    }
    if (lists != null) {
      lists.end();
    }
  }

  private void read(int txn, int op) {
    int source = reads.source(op);
    int writer = source < 0 ? NOTHING : history.transactionOf(source);
    if (source == ReadsFrom.INITIAL) {
      finds(history.key(op), initial(history.key(op)));
    } else if (source == ReadsFrom.THIN_AIR) {
      // It was not accepted yet.
      finds(history.key(op), versions() - 1);
    } else if (source < 0 || !reads.counts(writer)) {
      impossible.set(adding);
    } else if (writer != txn) {
      if (reads.isOverwritten(source)) {
        impossible.set(txn);
      }
      finds(history.key(op), source);
    }
  }

  /** The lists of the window, and what one transaction does to them. */
  private final class Lists {
    private final Sequences sequences = history.sequences();

    /** For each list the trace of its longest read, or −1, and its version without elements. */
    private final int[] traces = new int[history.keys().count()];

    private final int[] empty = new int[traces.length];

    /** For each append the place of its element in the trace, or −1. */
    private final int[] places = new int[history.operationCount()];

    private int versions = history.operationCount() + traces.length;

    /** The lists that the transaction uses. */
    private final IntList used = new IntList();

    /** For each of them the number of elements it finds there, or −1, and of those it appends. */
    private final int[] base = new int[traces.length];

    private final int[] appended = new int[traces.length];
    private final boolean[] isUsed = new boolean[traces.length];

    Lists() {
      Arrays.fill(traces, -1);
      Arrays.fill(places, -1);
      for (int op = 0; op < places.length; op++) {
        if (history.kind(op) == OpKind.LIST_READ
            && history.value(op) != Values.UNKNOWN
            && reads.counts(history.transactionOf(op))) {
          lengthen(history.key(op), sequences.trace(history.value(op)));
        }
      }
      for (int key = 0; key < traces.length; key++) {
        empty[key] = versions;
        versions += length(key) + 1;
        for (int i = 0; i < length(key); i++) {
          int write = reads.elements().traceWriter(traces[key], i);
          if (write >= 0) {
            places[write] = i;
          }
        }
      }
    }

    private void lengthen(int key, int trace) {
      if (traces[key] < 0 || sequences.traceLength(trace) > length(key)) {
        traces[key] = trace;
      }
    }

    int length(int key) {
      return traces[key] < 0 ? 0 : sequences.traceLength(traces[key]);
    }

    void add(int op) {
      int key = history.key(op);
      if (!isUsed[key]) {
        isUsed[key] = true;
        used.add(key);
        base[key] = NOTHING;
        appended[key] = 0;
      }
      if (history.kind(op) == OpKind.APPEND) {
        if (places[op] >= 0) {
          found(key, places[op] - appended[key]);
        }
        appended[key]++;
      } else {
        int length = sequences.length(history.value(op));
        if (length > 0 && sequences.trace(history.value(op)) != traces[key]) {
          impossible.set(adding);
        }
        found(key, length - appended[key]);
      }
    }

    private void found(int key, int elements) {
      if (elements < 0 || base[key] != NOTHING && base[key] != elements) {
        impossible.set(adding);
      } else {
        base[key] = elements;
      }
    }

    void end() {
      for (int i = 0; i < used.size(); i++) {
        int key = used.get(i);
        isUsed[key] = false;
        if (base[key] != NOTHING) {
          finds(key, empty[key] + base[key]);
        }
        if (appended[key] > 0) {
          int after = base[key] + appended[key];
          boolean shown = base[key] != NOTHING && after <= length(key);
          leaves(key, shown ? empty[key] + after : AT_THE_END);
        }
      }
      used.clear();
    }
  }
}
