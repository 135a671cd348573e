package dev.assay.oracle;

import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A history of registers in all ways in which some of its reads are conditions that failed: on the
 * initial value, on one that was written to the key, or on one that was never written.
 */
final class FailedConditions {
  private final SmallHistory history;
  private final List<Txn> txns = new ArrayList<>();
  private final Consumer<SmallHistory> consumer;
  private boolean changed;

  private FailedConditions(SmallHistory history, Consumer<SmallHistory> consumer) {
    this.history = history;
    this.consumer = consumer;
  }

  static void forEach(SmallHistory history, Consumer<SmallHistory> consumer) {
    new FailedConditions(history, consumer).choose(new ArrayList<>());
  }

  private void choose(List<Op> ops) {
    if (txns.size() == history.txns().size()) {
      if (changed) {
        consumer.accept(new SmallHistory(txns));
      }
      return;
    }
    Txn txn = history.txns().get(txns.size());
    if (ops.size() == txn.ops().size()) {
      txns.add(txn.with(ops));
      choose(new ArrayList<>());
      txns.remove(txns.size() - 1);
      return;
    }
    Op op = txn.ops().get(ops.size());
    choose(with(ops, op));
    if (op instanceof Op.Read) {
      boolean before = changed;
      changed = true;
      for (int value : values(op.key())) {
        choose(with(ops, new Op.OtherRead(op.key(), value)));
      }
      changed = before;
    }
  }

  private static List<Op> with(List<Op> ops, Op more) {
    List<Op> all = new ArrayList<>(ops);
    all.add(more);
    return all;
  }

  private TreeSet<Integer> values(int key) {
    TreeSet<Integer> values = new TreeSet<>(List.of(0, SmallHistories.UNWRITTEN));
    history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .filter(op -> op.isWrite() && op.key() == key)
        .forEach(op -> values.add(op.written()));
    return values;
  }
}
