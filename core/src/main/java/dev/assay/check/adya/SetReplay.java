package dev.assay.check.adya;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.infer.ReadsFrom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Runs transactions one after another and compares what each read of a set saw. */
final class SetReplay {
  private final History history;
  private final ReadsFrom reads;
  private final Map<Integer, Set<Integer>> state = new HashMap<>();

  SetReplay(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
  }

  /** Whether an order explains every read; numbers beyond the transactions are left out. */
  boolean explains(int[] order) {
    for (int txn : order) {
      if (txn < history.transactionCount() && reads.counts(txn) && !run(txn)) {
        return false;
      }
    }
    return true;
  }

  private boolean run(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      Set<Integer> elements =
          history.kind(op).type() == OpKind.Type.SET
              ? state.computeIfAbsent(history.key(op), key -> new HashSet<>())
              : Set.of();
      if (history.kind(op) == OpKind.ADD) {
        elements.add(history.value(op));
      } else if (history.kind(op) == OpKind.SET_READ
          && history.value(op) != Values.UNKNOWN
          && !isShown(elements, history.value(op))) {
        return false;
      }
    }
    return true;
  }

  private boolean isShown(Set<Integer> elements, int sequence) {
    Sequences sequences = history.sequences();
    if (sequences.length(sequence) != elements.size()) {
      return false;
    }
    for (int i = 0; i < elements.size(); i++) {
      if (!elements.contains(sequences.element(sequence, i))) {
        return false;
      }
    }
    return true;
  }
}
