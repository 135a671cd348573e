package dev.assay.format.jsonl;

import dev.assay.format.LongList;
import dev.assay.format.TransactionRecord;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;

/**
 * Reads a line of {@code assay-jsonl} that is plain: a transaction without the odd fields, whose
 * values are {@linkplain PlainJson plain}.
 */
final class PlainTransaction extends PlainJson {
  private static final byte[] SESSION = word("\"session\"");
  private static final byte[] ID = word("\"id\"");
  private static final byte[] OPS = word("\"ops\"");
  private static final byte[] OUTCOME = word("\"outcome\"");
  private static final byte[] START = word("\"start\"");
  private static final byte[] END = word("\"end\"");
  private static final byte[] SNAPSHOT = word("\"snapshot\"");
  private static final byte[] COMMIT = word("\"commitTs\"");
  private static final byte[] POSITION = word("\"position\"");
  private static final byte[] NULL = word("null");
  private static final byte[] NOT = word("{\"not\":");
  private static final byte[] VALUE = word("{\"value\":");
  private static final byte[] VERSION = word(",\"version\":");

  private final RawScalars scalars;
  private final TransactionRecord record;
  private final LongList elements = new LongList();
  private int fields;
  private long session;
  private long start;
  private long end;
  private long snapshot;
  private long commit;

  PlainTransaction(RawScalars scalars, TransactionRecord record) {
    this.scalars = scalars;
    this.record = record;
  }

  @Override
  long named(long integer) {
    return scalars.of(integer);
  }

  @Override
  long named(Object value) {
    return scalars.of(value);
  }

  @Override
  long named(long[] vector, int size) {
    return scalars.ofVector(vector, size);
  }

  /** The name of the session of the transaction read last. */
  long session() {
    return session;
  }

  /** Reads a line into the record; false where it is not plain. */
  boolean read(byte[] bytes, int from, int to) {
    begin(bytes, from, to);
    record.begin(0);
    fields = 0;
    start = History.ABSENT;
    end = History.ABSENT;
    snapshot = History.ABSENT;
    commit = History.ABSENT;
    try {
      take('{');
      do {
        readField();
      } while (takes(','));
      take('}');
      finish();
    } catch (NotPlain e) {
      return false;
    }
    record.times(start, end);
    record.timestamps(snapshot, commit);
    return (fields & 3) == 3;
  }

  private void readField() throws NotPlain {
    if (takes(SESSION)) {
      open(0);
      session = scalar();
    } else if (takes(OPS)) {
      open(1);
      readOperations();
    } else if (takes(ID)) {
      open(2);
      record.id(scalar());
    } else if (takes(OUTCOME)) {
      open(3);
      readOutcome();
    } else if (takes(START)) {
      open(4);
      start = time();
    } else if (takes(END)) {
      open(5);
      end = time();
    } else if (takes(SNAPSHOT)) {
      open(6);
      snapshot = time();
    } else if (takes(COMMIT)) {
      open(7);
      commit = time();
    } else if (takes(POSITION)) {
      open(8);
      record.serialPosition(time());
    } else {
      throw NotPlain.INSTANCE;
    }
  }

  /** Each field may be there once. */
  private void open(int field) throws NotPlain {
    if ((fields & (1 << field)) != 0) {
      throw NotPlain.INSTANCE;
    }
    fields |= 1 << field;
    take(':');
  }

  private void readOutcome() throws NotPlain {
    Outcome outcome = Outcome.fromId(string());
    if (outcome == null) {
      throw NotPlain.INSTANCE;
    }
    record.outcome(outcome);
  }

  private long time() throws NotPlain {
    return takes(NULL) ? History.ABSENT : integer();
  }

  private void readOperations() throws NotPlain {
    take('[');
    if (takes(']')) {
      return;
    }
    do {
      take('[');
      OpKind kind = kind();
      take(',');
      if (kind.isPredicate()) {
        readPredicate(kind);
      } else {
        readOperation(kind);
      }
      take(']');
    } while (takes(','));
    take(']');
  }

  private OpKind kind() throws NotPlain {
    char letter = letter();
    if (letter == 'r' || letter == 'w') {
      return letter == 'r' ? OpKind.READ : OpKind.WRITE;
    }
    OpKind kind = letter == 0 ? AssayJsonlOperations.kindOf(string()) : null;
    if (kind == null) {
      throw NotPlain.INSTANCE;
    }
    return kind;
  }

  private void readOperation(OpKind kind) throws NotPlain {
    long key = scalar();
    if (!takes(',')) {
      if (kind.isWrite()) {
        throw NotPlain.INSTANCE;
      }
      record.op(kind, key, RawScalars.UNKNOWN);
    } else if (kind.readsSequence() || (kind == OpKind.READ && peek() == '[')) {
      elements.clear();
      scalars(elements);
      OpKind sequence = kind.readsSequence() ? kind : OpKind.LIST_READ;
      record.readElements(sequence, key, elements.array(), 0, elements.size());
    } else if (kind.type().isNumber() && !isInteger()) {
      throw NotPlain.INSTANCE;
    } else if (kind == OpKind.READ && takes(NOT)) {
      long value = scalar();
      take('}');
      record.op(kind, key, scalars.of(new OtherThan(scalars.get(value))));
    } else if (kind.type() == OpKind.Type.REGISTER && takes(VALUE)) {
      long value = scalar();
      take(VERSION);
      record.op(kind, key, scalars.of(new Versioned(scalars.get(value), integer())));
      take('}');
    } else {
      record.op(kind, key, scalar());
    }
  }

  private void readPredicate(OpKind kind) throws NotPlain {
    if (peek() != '{') {
      throw NotPlain.INSTANCE;
    }
    record.predicate(kind, compact());
    take(',');
    if (kind == OpKind.SELECT && peek() != '[') {
      record.result(scalar());
      return;
    }
    take('[');
    if (takes(']')) {
      return;
    }
    do {
      take('[');
      long key = scalar();
      take(',');
      record.row(key, scalar());
      take(']');
    } while (takes(','));
    take(']');
  }
}
