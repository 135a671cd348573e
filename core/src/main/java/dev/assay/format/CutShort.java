package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;

/**
 * What a recording says for certain from which transactions are missing whose writes others are on
 * record to have seen.
 *
 * <p>Of a recording that was cut short, such reads, and all that depends on there being no other
 * writes, are taken for reads without a result. Where whole clients are missing, a writer of such a
 * value is added: a transaction of unknown outcome with this one write, in a session of its own and
 * without times. That decides both ways. If the recording can be completed so that a level holds,
 * it holds with these writers: take out of the completion what was neither recorded nor read, and
 * let each value of an unrecorded transaction have a writer of its own; both only take constraints
 * away. And the recording with these writers is itself a completion.
 */
public final class CutShort {
  /** Prefix of the names of clients that were not recorded. */
  private static final String UNRECORDED = "unrecorded-";

  private final History whole;

  /** Whether unknown writers are added, rather than what was seen left out. */
  private final boolean completes;

  private final HistoryBuilder builder = new HistoryBuilder();
  private final OperationCopy copy;

  /** Pairs of a key and a value that was written to it. */
  private final LongIndex written = new LongIndex();

  /** Pairs of a key and a value that an unknown client wrote to it. */
  private final LongIndex missing = new LongIndex();

  private int unknown;

  private CutShort(History whole, boolean completes) {
    this.whole = whole;
    this.completes = completes;
    this.copy = new OperationCopy(whole, builder);
  }

  /** The history without what writes that are not in it may explain. */
  public static History certain(History whole) {
    return new CutShort(whole, false).build();
  }

  /** The history with writers for values that were read and not written in it. */
  static History completed(History whole) throws ParseException {
    boolean counters = whole.uses(OpKind.Type.COUNTER);
    if (counters || whole.uses(OpKind.Type.PREDICATE)) {
      throw ParseException.ofFile(
          whole.origin().name(),
          "it has "
              + (counters ? "counters" : "predicate operations")
              + ", which prove nothing where clients are missing",
          "registers, lists and sets",
          "leave out --incomplete, or record all clients");
    }
    return new CutShort(whole, true).build();
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
    if (completes) {
      addMissing();
    } else if (unknown > 0) {
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
    } else if (!completes && whole.value(op) != Values.UNKNOWN && isUncertain(op)) {
      unknown++;
      builder.op(kind, key(whole.key(op)), RawScalars.UNKNOWN);
    } else {
      copy.add(op);
      if (completes && whole.value(op) != Values.UNKNOWN) {
        noteMissing(op);
      }
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

  // ---- clients that were not recorded

  private void noteMissing(int op) {
    int key = whole.key(op);
    if (whole.kind(op) == OpKind.READ) {
      if (!whole.hasInitialValue(op)) {
        noteMissing(key, whole.value(op));
      }
    } else if (whole.kind(op).readsSequence()) {
      Sequences sequences = whole.sequences();
      int sequence = whole.value(op);
      for (int i = 0; i < sequences.length(sequence); i++) {
        noteMissing(key, sequences.element(sequence, i));
      }
    }
  }

  private void noteMissing(int key, int value) {
    if (!isWritten(key, value)) {
      missing.indexOf(pair(key, value));
    }
  }

  private void addMissing() {
    OpKind[] writes = writeKinds();
    int number = 1;
    for (int i = 0; i < missing.size(); i++) {
      while (isTaken(UNRECORDED + number)) {
        number++;
      }
      String name = UNRECORDED + number++;
      int key = (int) (missing.get(i) >> 32);
      int txn = builder.begin(builder.session(name), Outcome.INDETERMINATE);
      builder.id(txn, builder.scalars().of(name));
      builder.position(txn, History.ABSENT);
      Object value = whole.values().get((int) missing.get(i));
      builder.op(writes[key], key(key), builder.scalars().of(value));
    }
    builder.metadata(
        "note.incomplete",
        missing.size() == 0
            ? "treated as incomplete, but recorded transactions explain every read"
            : "treated as incomplete: no recorded transaction wrote "
                + Losses.counted(missing.size(), "value that was read", "values that were read")
                + "; "
                + (missing.size() == 1 ? "it" : "each")
                + " counts as written by a separate transaction");
  }

  /** How each key is written, by how it is read. */
  private OpKind[] writeKinds() {
    OpKind[] kinds = new OpKind[whole.keys().count()];
    for (int op = 0; op < whole.operationCount(); op++) {
      switch (whole.kind(op)) {
        case LIST_READ -> kinds[whole.key(op)] = OpKind.APPEND;
        case SET_READ -> kinds[whole.key(op)] = OpKind.ADD;
        case READ -> kinds[whole.key(op)] = OpKind.WRITE;
        default -> {}
      }
    }
    return kinds;
  }

  private boolean isTaken(String name) {
    for (int session = 0; session < whole.sessionCount(); session++) {
      if (whole.sessionText(session).equals(name)) {
        return true;
      }
    }
    return false;
  }

  private long key(int key) {
    return builder.scalars().of(whole.keys().get(key));
  }
}
