package dev.assay.check.predicate;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.infer.predicates.Observations.Observation;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rewrites predicate results as reads: each transaction begins with a read of each key for which
 * predicate operations narrow what it saw to a few versions.
 */
final class Expansion {
  private final History whole;
  private final Rewriting rewriting;

  /** For each operation of the whole its number in the expansion. */
  private final int[] number;

  /** For each read that comes from a predicate operation, the writes it may have seen. */
  private final Map<Integer, int[]> seen = new HashMap<>();

  Expansion(History whole, List<Observation> observations) {
    this.whole = whole;
    this.number = new int[whole.operationCount()];
    Map<Integer, List<Observation>> ofTransaction = new HashMap<>();
    for (Observation observation : observations) {
      ofTransaction.computeIfAbsent(observation.txn(), txn -> new ArrayList<>()).add(observation);
    }
    Rewriting.Builder builder = new Rewriting.Builder(whole);
    HistoryBuilder expanded = builder.history();
    expanded.initialStateOf(whole);
    Map<Integer, Observation> virtual = new HashMap<>();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      builder.beginWithTimes(txn);
      for (Observation observation : ofTransaction.getOrDefault(txn, List.of())) {
        virtual.put(builder.nextOperation(), observation);
        builder.from(observation.operation());
        int write = observation.writes()[0];
        expanded.op(
            OpKind.READ,
            expanded.scalars().of(whole.keys().get(observation.key())),
            write < 0 ? RawScalars.NIL : builder.rawValue(whole.value(write)));
      }
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        number[op] = builder.nextOperation();
        if (whole.kind(op).isPredicate()) {
          builder.blank(op);
        } else {
          builder.copy(op);
        }
      }
    }
    this.rewriting = builder.build();
    virtual.forEach((op, observation) -> seen.put(op, renumbered(observation.writes())));
  }

  private int[] renumbered(int[] writes) {
    int[] result = new int[writes.length];
    for (int i = 0; i < writes.length; i++) {
      result[i] = writes[i] < 0 ? ReadsFrom.INITIAL : number[writes[i]];
    }
    return result;
  }

  Rewriting rewriting() {
    return rewriting;
  }

  History history() {
    return rewriting.rewritten();
  }

  ReadsFrom reads() {
    return ReadsFrom.of(history()).knowing(seen);
  }

  /** Known orders of versions of the whole history, with keys as they are numbered here. */
  EdgeList orders(EdgeList ofWhole) {
    int[] keys = new int[whole.keys().count()];
    for (int key = 0; key < history().keys().count(); key++) {
      if (rewriting.key(key) >= 0) {
        keys[rewriting.key(key)] = key;
      }
    }
    EdgeList orders = new EdgeList(ofWhole.size());
    for (int e = 0; e < ofWhole.size(); e++) {
      int key = keys[ofWhole.label(e)];
      orders.add(ofWhole.from(e), ofWhole.to(e), key, ofWhole.mark(e));
    }
    return orders;
  }

  /** Whether an operation comes from the result of a predicate operation. */
  boolean isFromPredicate(int op) {
    return rewriting.isByPredicate(op);
  }

  /** Whether a read is of a row that an update changed, which makes it a read of an item. */
  boolean isChanged(int op) {
    int predicate = rewriting.operation(op);
    if (whole.kind(predicate) != OpKind.UPDATE) {
      return false;
    }
    int key = rewriting.key(history().key(op));
    for (int row = predicate; row < whole.nextOp(predicate); row++) {
      if (whole.kind(row) == OpKind.WRITE && whole.key(row) == key) {
        return true;
      }
    }
    return false;
  }
}
