package dev.assay.check.predicate;

import dev.assay.check.Edge;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.RawScalars;
import dev.assay.infer.PredicateSight.Sight;
import dev.assay.infer.ReadsFrom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A history in which what predicate operations tell of versions stands as reads: at the beginning
 * of each transaction a read of each key that it must have seen one of a few versions of.
 */
final class Expansion {
  private final History whole;
  private final HistoryBuilder builder = new HistoryBuilder();

  /** For each operation of the expansion the one it stands for. */
  private final int[] original;

  /** Whether an operation stands for what a predicate operation tells. */
  private final boolean[] told;

  private final int[] number;
  private final Map<Integer, int[]> seen = new HashMap<>();
  private final History history;
  private int size;

  Expansion(History whole, List<Sight> sights) {
    this.whole = whole;
    int operations = whole.operationCount() + sights.size();
    this.original = new int[operations];
    this.told = new boolean[operations];
    this.number = new int[whole.operationCount()];
    Map<Integer, List<Sight>> ofTransaction = new HashMap<>();
    for (Sight sight : sights) {
      ofTransaction.computeIfAbsent(sight.txn(), txn -> new ArrayList<>()).add(sight);
    }
    builder.initialStateOf(whole);
    for (int session = 0; session < whole.sessionCount(); session++) {
      builder.session((long) session);
    }
    OperationCopy copy = new OperationCopy(whole, builder);
    Map<Integer, Sight> virtual = new HashMap<>();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      begin(txn);
      for (Sight sight : ofTransaction.getOrDefault(txn, List.of())) {
        virtual.put(size, sight);
        add(sight.operation(), true);
        builder.op(OpKind.READ, key(sight.key()), value(sight.writes()[0]));
      }
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        number[op] = size;
        add(op, false);
        if (whole.kind(op).isPredicate()) {
          copy.addNothing();
        } else {
          copy.add(op);
        }
      }
    }
    this.history = builder.build();
    virtual.forEach((op, sight) -> seen.put(op, renumbered(sight.writes())));
  }

  private void begin(int txn) {
    int added = builder.begin(whole.session(txn), whole.outcome(txn));
    builder.start(added, whole.start(txn));
    builder.end(added, whole.end(txn));
  }

  private void add(int stands, boolean byPredicate) {
    original[size] = stands;
    told[size++] = byPredicate;
  }

  private long key(int key) {
    return builder.scalars().of(whole.keys().get(key));
  }

  private long value(int write) {
    return write < 0
        ? RawScalars.NIL
        : builder.scalars().of(whole.values().get(whole.value(write)));
  }

  private int[] renumbered(int[] writes) {
    int[] result = new int[writes.length];
    for (int i = 0; i < writes.length; i++) {
      result[i] = writes[i] < 0 ? ReadsFrom.INITIAL : number[writes[i]];
    }
    return result;
  }

  History history() {
    return history;
  }

  ReadsFrom reads() {
    return ReadsFrom.of(history, true).knowing(seen);
  }

  /** Known orders of versions of the whole history, with keys as they are numbered here. */
  EdgeList orders(EdgeList ofWhole) {
    Map<Object, Integer> keys = new HashMap<>();
    for (int key = 0; key < history.keys().count(); key++) {
      keys.put(history.keys().get(key), key);
    }
    EdgeList orders = new EdgeList(ofWhole.size());
    for (int e = 0; e < ofWhole.size(); e++) {
      int key = keys.get(whole.keys().get(ofWhole.label(e)));
      orders.add(ofWhole.from(e), ofWhole.to(e), key, ofWhole.mark(e));
    }
    return orders;
  }

  /** The operation of the whole history that one of the expansion stands for. */
  int original(int op) {
    return op < 0 ? op : original[op];
  }

  boolean isTold(int op) {
    return op >= 0 && told[op];
  }

  /** Whether a read stands for a row that an update changed, so has read as an item. */
  boolean isChanged(int op) {
    int stands = original(op);
    if (whole.kind(stands) != OpKind.UPDATE) {
      return false;
    }
    Object key = history.keys().get(history.key(op));
    for (int row = stands; row < whole.nextOp(stands); row++) {
      boolean written = whole.kind(row) == OpKind.WRITE;
      if (written && whole.keys().get(whole.key(row)).equals(key)) {
        return true;
      }
    }
    return false;
  }

  /** Steps of an argument in terms of the whole history. */
  List<Edge> original(List<Edge> edges) {
    List<Edge> result = new ArrayList<>();
    for (Edge edge : edges) {
      result.add(
          new Edge(
              edge.from(),
              edge.to(),
              edge.kind(),
              key(edge),
              original(edge.fromOp()),
              original(edge.toOp()),
              original(edge.because()),
              edge.premise(),
              isByPredicate(edge)));
    }
    return result;
  }

  private boolean isByPredicate(Edge edge) {
    return switch (edge.kind()) {
      case WR -> isTold(edge.toOp());
      case RW -> isTold(edge.fromOp());
      default -> false;
    };
  }

  /** Keys are numbered otherwise here, so they are told by the operations. */
  private int key(Edge edge) {
    if (edge.key() < 0) {
      return edge.key();
    }
    for (int op : new int[] {original(edge.fromOp()), original(edge.toOp())}) {
      if (op >= 0 && !whole.kind(op).isPredicate()) {
        return whole.key(op);
      }
    }
    Object name = history.keys().get(edge.key());
    for (int key = 0; key < whole.keys().count(); key++) {
      if (whole.keys().get(key).equals(name)) {
        return key;
      }
    }
    return -1;
  }
}
