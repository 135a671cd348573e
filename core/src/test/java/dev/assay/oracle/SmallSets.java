package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All histories of sets up to a size: transactions of one or two operations, in every way they may
 * share sessions. Every addition has an element of its own; a read shows any of the elements that
 * anybody adds to the set, own, later and aborted ones included.
 */
final class SmallSets {
  private static final int MOST_OPERATIONS = 2;

  private final int txns;
  private final int keys;
  private final List<Outcome> outcomes;
  private final int step;
  private final Consumer<SmallHistory> consumer;
  private final List<List<Op>> shapes = new ArrayList<>();
  private long candidates;

  private SmallSets(
      int txns, int keys, List<Outcome> outcomes, int step, Consumer<SmallHistory> consumer) {
    this.txns = txns;
    this.keys = keys;
    this.outcomes = outcomes;
    this.step = step;
    this.consumer = consumer;
  }

  /** Goes through every {@code step}-th of them. */
  static void forEach(
      int txns, int keys, List<Outcome> outcomes, int step, Consumer<SmallHistory> consumer) {
    SmallSets all = new SmallSets(txns, keys, outcomes, step, consumer);
    all.chooseShapes(List.of());
    all.chooseTransactions(new ArrayList<>(), 0);
  }

  private void chooseShapes(List<Op> ops) {
    if (!ops.isEmpty()) {
      shapes.add(ops);
    }
    for (int key = 0; ops.size() < MOST_OPERATIONS && key < keys; key++) {
      for (Op op : List.of(new Op.Add(key, 0), new Op.SetRead(key, List.of()))) {
        List<Op> longer = new ArrayList<>(ops);
        longer.add(op);
        chooseShapes(longer);
      }
    }
  }

  private void chooseTransactions(List<Txn> chosen, int sessions) {
    if (chosen.size() == txns) {
      chooseReads(numbered(chosen), 0, 0);
      return;
    }
    for (int session = 0; session <= sessions; session++) {
      for (Outcome outcome : outcomes) {
        for (List<Op> shape : shapes) {
          chosen.add(Txn.of(session, outcome, shape));
          chooseTransactions(chosen, Math.max(sessions, session + 1));
          chosen.remove(chosen.size() - 1);
        }
      }
    }
  }

  private static List<Txn> numbered(List<Txn> txns) {
    List<Txn> result = new ArrayList<>();
    int next = 1;
    for (Txn txn : txns) {
      List<Op> ops = new ArrayList<>();
      for (Op op : txn.ops()) {
        ops.add(op instanceof Op.Add ? new Op.Add(op.key(), next++) : op);
      }
      result.add(txn.with(ops));
    }
    return result;
  }

  private void chooseReads(List<Txn> txns, int txn, int place) {
    if (txn == txns.size()) {
      if (candidates++ % step == 0) {
        consumer.accept(new SmallHistory(txns));
      }
    } else if (place == txns.get(txn).ops().size()) {
      chooseReads(txns, txn + 1, 0);
    } else if (txns.get(txn).ops().get(place) instanceof Op.SetRead read) {
      List<Integer> added = added(txns, read.key());
      for (int choice = 0; choice < 1 << added.size(); choice++) {
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; i < added.size(); i++) {
          if ((choice & 1 << i) != 0) {
            shown.add(added.get(i));
          }
        }
        List<Op> ops = new ArrayList<>(txns.get(txn).ops());
        ops.set(place, new Op.SetRead(read.key(), shown));
        List<Txn> next = new ArrayList<>(txns);
        next.set(txn, txns.get(txn).with(ops));
        chooseReads(next, txn, place + 1);
      }
    } else {
      chooseReads(txns, txn, place + 1);
    }
  }

  private static List<Integer> added(List<Txn> txns, int key) {
    List<Integer> elements = new ArrayList<>();
    for (Txn txn : txns) {
      for (Op op : txn.ops()) {
        if (op instanceof Op.Add && op.key() == key) {
          elements.add(op.written());
        }
      }
    }
    return elements;
  }
}
