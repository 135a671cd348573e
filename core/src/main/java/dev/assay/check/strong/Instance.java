package dev.assay.check.strong;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A history, or some of its transactions, as the solver needs it: members numbered from 0, and for
 * each key its writers, its reads and their writers, and what is known of the order of versions.
 */
final class Instance {
  static final int NONE = -1;

  final History history;
  final ReadsFrom reads;

  /** The transactions, ascending. */
  final int[] members;

  /** For each transaction of the history its number among the members, or −1. */
  final int[] number;

  private final List<EdgeList> orders;

  /**
   * Takes a subset of the transactions.
   *
   * @param among those that may be members; the ones that count are
   * @param orders known orders of versions: edges between writers, labelled with the key
   */
  Instance(History history, ReadsFrom reads, BitSet among, List<EdgeList> orders) {
    this.history = history;
    this.reads = reads;
    this.orders = orders;
    this.members = among.stream().filter(reads::counts).toArray();
    this.number = new int[history.transactionCount()];
    Arrays.fill(number, NONE);
    for (int i = 0; i < members.length; i++) {
      number[members[i]] = i;
    }
  }

  static Instance whole(History history, ReadsFrom reads, List<EdgeList> orders) {
    BitSet all = new BitSet();
    all.set(0, history.transactionCount());
    return new Instance(history, reads, all, orders);
  }

  /** The same with only some of the members, given by their numbers. */
  Instance restrictedTo(BitSet numbers) {
    BitSet among = new BitSet();
    numbers.stream().forEach(n -> among.set(members[n]));
    return new Instance(history, reads, among, orders);
  }

  int size() {
    return members.length;
  }

  /** Members in the order of a list of transactions. */
  int[] inOrder(int[] transactions) {
    return Arrays.stream(transactions).map(txn -> number[txn]).filter(n -> n != NONE).toArray();
  }

  /** Members as they are numbered. */
  int[] natural() {
    int[] all = new int[members.length];
    Arrays.setAll(all, i -> i);
    return all;
  }

  boolean isWrite(int op) {
    OpKind kind = history.kind(op);
    return kind == OpKind.WRITE || kind == OpKind.APPEND;
  }

  /** Whether an operation read a version of a register or list. */
  boolean isRead(int op) {
    OpKind kind = history.kind(op);
    return kind == OpKind.READ || (kind == OpKind.LIST_READ && history.value(op) != Values.UNKNOWN);
  }

  /**
   * The write whose version a read saw, as an operation; {@link ReadsFrom#INITIAL}, or another
   * negative number if that is not known.
   */
  int sourceOp(int op) {
    return reads.versionSource(op);
  }

  /** What happened on one key, in order of transactions. */
  interface KeyVisitor {
    void startKey(int key);

    /** A member wrote the key. */
    void write(int member);

    /** A member read the key from another or from the initial state (−1), before any own write. */
    void read(int member, int source, int op);

    /** A member read the key from one of several. */
    void choice(int member, int op);

    void order(int first, int second);

    void endKey();
  }

  /** Goes over all keys: first the writers of a key, then its reads, then its known orders. */
  void visit(KeyVisitor visitor) {
    Grouping.Builder builder = new Grouping.Builder(history.keys().count());
    for (int txn : members) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isWrite(op) || isRead(op)) {
          builder.count(history.key(op));
        }
      }
    }
    int[] ops = new int[builder.total()];
    int[] txns = new int[ops.length];
    for (int txn : members) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isWrite(op) || isRead(op)) {
          int place = builder.place(history.key(op));
          txns[place] = txn;
          ops[place] = op;
        }
      }
    }
    Grouping byKey = builder.build(ops);
    KnownOrder known = new KnownOrder(this, orders);
    for (int key = 0; key < byKey.groups(); key++) {
      if (byKey.size(key) > 0) {
        visitor.startKey(key);
        visitWrites(visitor, ops, txns, byKey.first(key), byKey.end(key));
        visitReads(visitor, ops, txns, byKey.first(key), byKey.end(key));
        known.visit(key, visitor);
        visitor.endKey();
      }
    }
  }

  private void visitWrites(KeyVisitor visitor, int[] ops, int[] txns, int from, int to) {
    int last = NONE;
    for (int i = from; i < to; i++) {
      if (isWrite(ops[i]) && txns[i] != last) {
        last = txns[i];
        visitor.write(number[last]);
      }
    }
  }

  /**
   * Whether a transaction failed on other conditions on the key too, each of which leaves other
   * writes, and did not read the key otherwise. Only one of them is considered.
   */
  boolean hasOtherConditions(int op) {
    if (!history.isOtherRead(op)) {
      return false;
    }
    int txn = history.transactionOf(op);
    for (int other = history.firstOp(txn); other < history.endOp(txn); other++) {
      if (history.key(other) == history.key(op)) {
        if (isWrite(other)) {
          break;
        }
        if (history.isOtherRead(other) && history.value(other) != history.value(op)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a transaction read a key on which a condition failed: that says more. */
  private boolean isReadOtherwise(int[] ops, int[] txns, int place, int to) {
    if (!history.isOtherRead(ops[place])) {
      return false;
    }
    int next = place + 1;
    while (next < to && txns[next] == txns[place] && history.isOtherRead(ops[next])) {
      next++;
    }
    return next < to && txns[next] == txns[place] && !isWrite(ops[next]);
  }

  private void visitReads(KeyVisitor visitor, int[] ops, int[] txns, int from, int to) {
    int done = NONE;
    for (int i = from; i < to; i++) {
      int txn = txns[i];
      if (txn == done || isReadOtherwise(ops, txns, i, to)) {
        continue;
      }
      done = txn;
      if (isWrite(ops[i])) {
        continue;
      }
      int source = sourceOp(ops[i]);
      if (source == ReadsFrom.AMBIGUOUS || hasOtherConditions(ops[i])) {
        visitor.choice(number[txn], ops[i]);
      } else if (source == ReadsFrom.INITIAL) {
        visitor.read(number[txn], NONE, ops[i]);
      } else if (source >= 0) {
        int writer = history.transactionOf(source);
        if (writer != txn && number[writer] != NONE) {
          visitor.read(number[txn], number[writer], ops[i]);
        }
      } else {
        // The source of this read is unknown; the next read may have one.
        done = NONE;
      }
    }
  }
}
