package dev.assay.solve;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import java.util.Arrays;

/**
 * Builds a {@link Polygraph} key by key: after {@link #startKey} all writers of the key, then all
 * its reads and known orders, then {@link #endKey}.
 */
public final class PolygraphBuilder {
  final Polygraph.Shape shape;
  final int transactions;
  final IntList owner;
  final EdgeList known = new EdgeList();
  final EdgeList likely = new EdgeList();
  final IntList keyFirst = new IntList(16);
  final IntList keyOf = new IntList(16);
  final IntList writer = new IntList(16);
  final IntList end = new IntList(16);
  final IntList reader = new IntList(16);
  final IntList readVersion = new IntList(16);
  final IntList choiceReader = new IntList(4);
  final IntList choiceOf = new IntList(4);
  final IntList choiceVersion = new IntList(4);
  int[] chain;
  int[] placeInChain;

  /** For each transaction its version of the current key, if stamped with it. */
  private final int[] versionOfWriter;

  /** For each transaction the version it read last. */
  private final int[] versionReadBy;

  private final IntList orderFirst = new IntList(4);
  private final IntList orderSecond = new IntList(4);
  private int firstRead;

  public PolygraphBuilder(Polygraph.Shape shape, int transactions) {
    this.shape = shape;
    this.transactions = transactions;
    this.versionOfWriter = new int[transactions];
    this.versionReadBy = new int[transactions];
    Arrays.fill(versionOfWriter, Polygraph.NONE);
    Arrays.fill(versionReadBy, Polygraph.NONE);
    this.owner = new IntList(transactions * 2);
    for (int txn = 0; txn < transactions; txn++) {
      owner.add(txn);
      if (shape.split) {
        owner.add(txn);
        known.add(begin(txn), commit(txn), 0, 0);
      }
    }
    keyFirst.add(0);
  }

  private int begin(int txn) {
    return shape.split ? 2 * txn : txn;
  }

  private int commit(int txn) {
    return shape.split ? 2 * txn + 1 : txn;
  }

  private int versionTarget(int txn) {
    return shape.exclusive ? begin(txn) : commit(txn);
  }

  /** One transaction wholly before another. */
  public void before(int first, int second) {
    known.add(commit(first), begin(second), 0, 0);
  }

  /** A transaction that most likely follows another, in a sequence of this length. */
  public void likely(int first, int second, int inRow) {
    likely.add(first, second, inRow, 0);
  }

  /** An instant of time; see {@link #until} and {@link #since}. */
  public int instant() {
    owner.add(Polygraph.NONE);
    return owner.size() - 1;
  }

  /** One instant before another. */
  public void instants(int first, int second) {
    known.add(first, second, 0, 0);
  }

  /** A transaction ended before an instant. */
  public void until(int txn, int instant) {
    known.add(commit(txn), instant, 0, 0);
  }

  /** A transaction began after an instant. */
  public void since(int instant, int txn) {
    known.add(instant, begin(txn), 0, 0);
  }

  /**
   * Chains of transactions, each wholly before the next of its chain.
   *
   * @param chainOf for each transaction its chain
   * @param place for each transaction its place in the chain
   */
  public void chains(int[] chainOf, int[] place) {
    this.chain = chainOf;
    this.placeInChain = place;
  }

  public void startKey() {
    addVersion(Polygraph.INITIAL);
    firstRead = reader.size();
  }

  private void addVersion(int txn) {
    keyOf.add(keyFirst.size() - 1);
    writer.add(txn);
    end.add(Polygraph.NONE);
  }

  /** A transaction that wrote the current key, once each. */
  public void writer(int txn) {
    versionOfWriter[txn] = writer.size();
    addVersion(txn);
  }

  /** A read of the current key from a writer of it, or the initial version; once per reader. */
  public void read(int txn, int source) {
    reader.add(txn);
    readVersion.add(version(source));
    versionReadBy[txn] = version(source);
    if (source != Polygraph.INITIAL) {
      known.add(commit(source), begin(txn), 0, 0);
    }
  }

  private int version(int source) {
    return source == Polygraph.INITIAL ? keyFirst.last() : versionOfWriter[source];
  }

  /** A read of the current key from one of some writers of it, the initial version among them. */
  public void choice(int txn, int[] sources) {
    int choice = choiceReader.size();
    choiceReader.add(txn);
    for (int source : sources) {
      choiceOf.add(choice);
      choiceVersion.add(version(source));
    }
  }

  /** A known order of two writers of the current key. */
  public void order(int first, int second) {
    orderFirst.add(first);
    orderSecond.add(second);
  }

  /** Ends the current key. */
  public void endKey() {
    int firstVersion = keyFirst.last();
    int versions = writer.size() - firstVersion;
    Grouping.Builder byVersion = new Grouping.Builder(versions);
    for (int i = firstRead; i < reader.size(); i++) {
      byVersion.count(readVersion.get(i) - firstVersion);
    }
    int[] sorted = new int[byVersion.total()];
    for (int i = firstRead; i < reader.size(); i++) {
      sorted[byVersion.place(readVersion.get(i) - firstVersion)] = reader.get(i);
    }
    Grouping reads = byVersion.build(sorted);
    for (int v = 0; v < versions; v++) {
      if (shape.readsFirst && reads.size(v) > 0) {
        endVersion(firstVersion + v, sorted, reads.first(v), reads.end(v));
      }
    }
    for (int i = 0; i < orderFirst.size(); i++) {
      addOrder(orderFirst.get(i), orderSecond.get(i));
    }
    orderFirst.clear();
    orderSecond.clear();
    for (int v = 1; v < versions; v++) {
      versionOfWriter[writer.get(firstVersion + v)] = Polygraph.NONE;
    }
    keyFirst.add(writer.size());
  }

  /** Adds the end of a version and the edges that its reads imply. */
  private void endVersion(int version, int[] readers, int from, int to) {
    int endNode;
    if (to - from == 1) {
      endNode = begin(readers[from]);
    } else {
      endNode = owner.size();
      owner.add(writer.get(version));
      for (int i = from; i < to; i++) {
        known.add(begin(readers[i]), endNode, 0, 0);
      }
    }
    end.set(version, endNode);
    if (to - from > 1) {
      orderOverwriters(endNode, readers, from, to);
    }
    boolean initial = writer.get(version) == Polygraph.INITIAL;
    for (int v = keyFirst.last() + 1; initial && v < writer.size(); v++) {
      if (versionReadBy[writer.get(v)] != version) {
        known.add(endNode, commit(writer.get(v)), 0, 0);
      }
    }
  }

  /**
   * A transaction that read a version and wrote the key overwrote that version, so all others read
   * it before. With one event per transaction the end of the version would lead back to one of its
   * reads; there every reader precedes the first overwriter, and that one precedes the others.
   */
  private void orderOverwriters(int endNode, int[] readers, int from, int to) {
    int first = Polygraph.NONE;
    for (int i = from; i < to; i++) {
      if (versionOfWriter[readers[i]] == Polygraph.NONE) {
        continue;
      }
      if (shape.split) {
        known.add(endNode, commit(readers[i]), 0, 0);
      } else if (first != Polygraph.NONE) {
        known.add(first, readers[i], 0, 0);
      } else {
        first = readers[i];
        for (int j = from; j < to; j++) {
          if (j != i) {
            known.add(readers[j], first, 0, 0);
          }
        }
      }
    }
  }

  private void addOrder(int first, int second) {
    known.add(commit(first), versionTarget(second), 0, 0);
    int version = versionOfWriter[first];
    if (end.get(version) != Polygraph.NONE && versionReadBy[second] != version) {
      known.add(end.get(version), commit(second), 0, 0);
    }
  }

  public Polygraph build() {
    return new Polygraph(this);
  }
}
