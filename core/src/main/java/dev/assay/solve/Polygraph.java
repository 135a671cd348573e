package dev.assay.solve;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import java.util.Arrays;

/**
 * The problem to solve: find an order of transactions in which every read saw the latest version
 * before it.
 *
 * <p>Nodes are events. A transaction has one, or two for its begin and commit; further nodes are
 * the ends of versions that several transactions read, and instants of time. Known constraints are
 * edges. Open is the order of every two transactions that write a common key: if a comes before b,
 * then b follows a ({@link #versionTarget}), and every read of a's version of a key that b writes
 * read before b committed. In some {@linkplain Shape shapes} the last is required only of reads by
 * transactions that see b.
 */
public final class Polygraph {
  /** The writer of initial versions. */
  public static final int INITIAL = -1;

  static final int NONE = -1;

  /** How transactions, reads and versions become events and edges. */
  public enum Shape {
    /** One event per transaction. */
    SERIAL(false, false, true),
    /** Reads at the beginning, writes at the end; writers of a common key do not overlap. */
    SNAPSHOT(true, true, true),
    /** Reads at the beginning, writes at the end, and nothing else. */
    PREFIX(true, false, true),
    /**
     * One event per transaction, which sees everything that precedes it by edges, and need not see
     * the rest.
     */
    PARALLEL(false, false, false),
    /** One event per transaction, which sees its direct predecessors. */
    ATOMIC(false, false, false);

    final boolean split;
    final boolean exclusive;

    /**
     * Whether every read comes before the overwrite of its version. Otherwise a transaction must
     * merely not see an overwrite of what it read.
     */
    final boolean readsFirst;

    Shape(boolean split, boolean exclusive, boolean readsFirst) {
      this.split = split;
      this.exclusive = exclusive;
      this.readsFirst = readsFirst;
    }

    /** Whether a transaction begins and commits at two events. */
    public boolean isSplit() {
      return split;
    }
  }

  final Shape shape;
  final int transactions;
  final int nodes;

  /** For each node its transaction; for the end of a version its writer; else −1. */
  final int[] owner;

  final EdgeList known;

  /** Versions of key k are {@code keyFirst[k]}…; the first of them is the initial one. */
  final int[] keyFirst;

  final int[] keyOf;
  final int[] writer;

  /** The node after all reads of a version, or −1 if it was not read. */
  final int[] end;

  final Grouping readers;

  /** Chains with the keys they write, computed on first use. */
  private long[] chainKeys;

  /** The versions each transaction wrote, by ascending key. */
  final Grouping writes;

  /** The versions each transaction read. */
  final Grouping reads;

  /** Reads that saw one of several versions. */
  final int[] choiceReader;

  final Grouping choices;

  /** For each transaction the chain it belongs to and its place there, or null. */
  final int[] chain;

  final int[] placeInChain;

  /**
   * Transactions that most likely, but not necessarily, follow each other; labels are the lengths
   * of their sequences. A hint for guessing orders.
   */
  final EdgeList likely;

  Polygraph(PolygraphBuilder builder) {
    shape = builder.shape;
    transactions = builder.transactions;
    nodes = builder.owner.size();
    owner = builder.owner.toArray();
    known = builder.known;
    keyFirst = builder.keyFirst.toArray();
    keyOf = builder.keyOf.toArray();
    writer = builder.writer.toArray();
    end = builder.end.toArray();
    readers = Grouping.of(writer.length, builder.readVersion, builder.reader);
    reads = Grouping.of(transactions, builder.reader, builder.readVersion);
    writes = Grouping.of(transactions, writer);
    choiceReader = builder.choiceReader.toArray();
    choices = Grouping.of(choiceReader.length, builder.choiceOf, builder.choiceVersion);
    chain = builder.chain;
    placeInChain = builder.placeInChain;
    likely = builder.likely;
  }

  public int transactions() {
    return transactions;
  }

  int begin(int txn) {
    return shape.split ? 2 * txn : txn;
  }

  int commit(int txn) {
    return shape.split ? 2 * txn + 1 : txn;
  }

  /** The event of a transaction that comes after the commits of the writers of earlier versions. */
  int versionTarget(int txn) {
    return shape.exclusive ? begin(txn) : commit(txn);
  }

  boolean isEvent(int node) {
    return node < (shape.split ? 2 * transactions : transactions);
  }

  /** The nodes of transactions in this order, then all others. */
  int[] nodesOf(int[] inOrder) {
    int[] order = new int[nodes];
    int size = 0;
    for (int txn : inOrder) {
      order[size++] = begin(txn);
      if (shape.split) {
        order[size++] = commit(txn);
      }
    }
    for (int node = size; node < nodes; node++) {
      order[size++] = node;
    }
    return order;
  }

  int keys() {
    return keyFirst.length - 1;
  }

  /** The version of a key that a transaction wrote, or −1. */
  int versionOf(int txn, int key) {
    int low = writes.first(txn);
    int high = writes.end(txn) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int version = writes.item(middle);
      if (keyOf[version] == key) {
        return version;
      }
      if (keyOf[version] < key) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return NONE;
  }

  /**
   * Whether a reader sees an earlier transaction, as far as that follows from these two and from
   * certain reads.
   */
  boolean sees(int reader, int earlier) {
    return shape != Shape.ATOMIC
        || isOfChain(reader, earlier)
        || readsFrom(reader, earlier)
        || writeCommonKey(reader, earlier);
  }

  /**
   * Whether a reader read from every writer of a key that it sees, by {@link #sees} or by a choice:
   * it writes nothing, and nothing in its chain writes the key. Otherwise its sources are only some
   * of the writers to examine.
   */
  boolean seesOnlySources(int reader, int key) {
    if (shape != Shape.ATOMIC || writes.first(reader) < writes.end(reader)) {
      return false;
    }
    if (chain == null) {
      return true;
    }
    if (chainKeys == null) {
      chainKeys = chainKeys();
    }
    return Arrays.binarySearch(chainKeys, ((long) chain[reader] << 32) | key) < 0;
  }

  /** Which chain writes which key, in order. */
  private long[] chainKeys() {
    long[] pairs = new long[writer.length];
    int count = 0;
    for (int version = 0; version < writer.length; version++) {
      if (writer[version] != INITIAL) {
        pairs[count++] = ((long) chain[writer[version]] << 32) | keyOf[version];
      }
    }
    return Arrays.stream(pairs, 0, count).sorted().distinct().toArray();
  }

  boolean isOfChain(int a, int b) {
    return chain != null && chain[a] == chain[b];
  }

  boolean readsFrom(int reader, int txn) {
    for (int i = reads.first(reader); i < reads.end(reader); i++) {
      if (writer[reads.item(i)] == txn) {
        return true;
      }
    }
    return false;
  }

  private boolean writeCommonKey(int a, int b) {
    int i = writes.first(a);
    int j = writes.first(b);
    while (i < writes.end(a) && j < writes.end(b)) {
      int difference = keyOf[writes.item(i)] - keyOf[writes.item(j)];
      if (difference == 0) {
        return true;
      }
      i += difference < 0 ? 1 : 0;
      j += difference > 0 ? 1 : 0;
    }
    return false;
  }

  boolean isReader(int version, int txn) {
    for (int i = reads.first(txn); i < reads.end(txn); i++) {
      if (reads.item(i) == version) {
        return true;
      }
    }
    return false;
  }
}
