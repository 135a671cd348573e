package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The end of a recording that was cut short. Transactions may be missing there, so a read of a
 * value that no recorded transaction wrote says nothing; {@link dev.assay.format.CutShort} does the
 * same for a whole history.
 */
final class CutOff {
  private final List<Arrived> waiting;
  private final Context context;
  private final Map<KeyState, Set<Long>> written = new HashMap<>();
  private int unknown;

  private CutOff(List<Arrived> waiting, Context context) {
    this.waiting = waiting;
    this.context = context;
  }

  /** Takes such reads for reads without a result, if the recording was cut short. */
  static void apply(List<Arrived> waiting, Context context) {
    if (context.metadata.containsKey(Origin.CUT_SHORT)) {
      new CutOff(waiting, context).apply();
    }
  }

  private void apply() {
    for (Arrived arrived : waiting) {
      History history = arrived.history();
      int end = history.endOp(arrived.txn);
      for (int op = history.firstOp(arrived.txn); op < end; op++) {
        if (history.kind(op).isWrite()) {
          KeyState key = arrived.block.keys[history.key(op)];
          written
              .computeIfAbsent(key, k -> new HashSet<>())
              .add(context.raw(history, history.value(op)));
        }
      }
    }
    waiting.replaceAll(this::certain);
    if (unknown > 0) {
      context.metadata.put(
          "note.missing",
          "what %,d operations saw is not used: transactions that explain it may be missing"
              .formatted(unknown));
    }
  }

  private Arrived certain(Arrived arrived) {
    History history = arrived.history();
    int before = unknown;
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(history);
    OperationCopy copy = new OperationCopy(history, builder);
    int txn = copy.begin(arrived.txn);
    builder.id(txn, builder.scalars().of(history.ownId(arrived.txn)));
    for (int op = history.firstOp(arrived.txn); op < history.endOp(arrived.txn); op++) {
      if (isCertain(arrived.block.keys[history.key(op)], history, op)) {
        copy.add(op);
      } else {
        unknown++;
        Object key = history.keys().get(history.key(op));
        builder.op(history.kind(op), builder.scalars().of(key), RawScalars.UNKNOWN);
      }
    }
    return unknown == before
        ? arrived
        : new Arrived(
            context.block(builder.build()), 0, arrived.time, arrived.number, arrived.place);
  }

  private boolean isCertain(KeyState key, History history, int op) {
    OpKind kind = history.kind(op);
    int value = history.value(op);
    if (kind.isWrite() || value == Values.UNKNOWN) {
      return true;
    }
    if (!kind.readsSequence()) {
      return history.hasInitialValue(op) || isWritten(key, history, value);
    }
    for (int i = 0; i < history.sequences().length(value); i++) {
      if (!isWritten(key, history, history.sequences().element(value, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isWritten(KeyState key, History history, int value) {
    long raw = context.raw(history, value);
    return key.wrote(raw) || written.getOrDefault(key, Set.of()).contains(raw);
  }
}
