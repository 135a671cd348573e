package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;

/**
 * What a recording that was cut short says for certain. Clients write at different times, so that
 * transactions may be missing whose writes others are on record to have seen: such reads, and all
 * that depends on there being no other writes, are taken for reads without a result.
 */
final class CutShort {
  private final History whole;
  private final HistoryBuilder builder = new HistoryBuilder();
  private final OperationCopy copy;

  /** Pairs of a key and a value that was written to it. */
  private final LongIndex written = new LongIndex();

  private int unknown;

  private CutShort(History whole) {
    this.whole = whole;
    this.copy = new OperationCopy(whole, builder);
  }

  /** The history without what writes that are not in it may explain. */
  static History certain(History whole) {
    return new CutShort(whole).build();
  }

  private History build() {
    for (int op = 0; op < whole.operationCount(); op++) {
      if (whole.kind(op).isWrite() && !whole.kind(op).isPredicate()) {
        written.indexOf(pair(whole.key(op), whole.value(op)));
      }
    }
    builder.origin(whole.origin());
    builder.initialStateOf(whole);
    whole.metadata().forEach(builder::metadata);
    for (int session = 0; session < whole.sessionCount(); session++) {
      builder.session(whole.sessionName(session));
    }
    for (int from = 0; from < whole.transactionCount(); from++) {
      int txn = copy.begin(from);
      builder.id(txn, builder.scalars().of(whole.ownId(from)));
      for (int op = whole.firstOp(from); op < whole.endOp(from); op++) {
        add(op);
      }
    }
    if (unknown > 0) {
      builder.metadata(
          "note.missing",
          "what %,d operations saw is not used: transactions that explain it may be missing"
              .formatted(unknown));
    }
    return builder.build();
  }

  private static long pair(int key, int value) {
    return (long) key << 32 | (value & 0xffff_ffffL);
  }

  private void add(int op) {
    OpKind kind = whole.kind(op);
    if (kind.isPredicate()) {
      // Its rows stay, as plain reads and writes.
      unknown++;
    } else if (whole.value(op) != Values.UNKNOWN && isUncertain(op)) {
      unknown++;
      builder.op(kind, builder.scalars().of(whole.keys().get(whole.key(op))), RawScalars.UNKNOWN);
    } else {
      copy.add(op);
    }
  }

  private boolean isUncertain(int op) {
    return switch (whole.kind(op)) {
      // Where rows are deleted, what is initial may also be what a deletion left.
      case READ ->
          whole.hasInitialValue(op)
              ? whole.uses(OpKind.Type.PREDICATE)
              : !isWritten(whole.key(op), whole.value(op));
      case LIST_READ, SET_READ -> {
        Sequences sequences = whole.sequences();
        int sequence = whole.value(op);
        boolean all = true;
        for (int i = 0; i < sequences.length(sequence) && all; i++) {
          all = isWritten(whole.key(op), sequences.element(sequence, i));
        }
        yield !all;
      }
      case COUNTER_READ -> true;
      default -> false;
    };
  }

  private boolean isWritten(int key, int value) {
    return written.find(pair(key, value)) >= 0;
  }
}
