package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.workload.Access;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;
import dev.assay.history.RawScalars;
import dev.assay.history.Versioned;
import java.util.function.LongSupplier;

/** Does what the workload asks, and puts it on record. */
final class Recording implements Access {
  private final Recorder recorder;
  private final AssayBinaryJournal journal;
  private final LongSupplier unique;
  private ClientSession connection;
  private RowSession rows;

  /** What the client last saw of keys. */
  private final SeenValues seen = new SeenValues();

  /** What the open transaction did, where its writes get numbers when it has committed. */
  private final NumberedWrites numbered = new NumberedWrites();

  /**
   * @param unique numbers that no other write of the run has
   */
  Recording(Recorder recorder, AssayBinaryJournal journal, LongSupplier unique) {
    this.recorder = recorder;
    this.journal = journal;
    this.unique = unique;
  }

  /** A transaction begins. */
  void begin(ClientSession onConnection, RowSession onRows) {
    connection = onConnection;
    rows = onRows;
    numbered.clear();
  }

  /** Whether a transaction that has committed wrote versions whose number is known now. */
  boolean hasNumberedWrites() {
    return numbered.hasWrites()
        && connection.versionWritten() != ClientSession.NONE
        && !recorder.discards();
  }

  /** Records the operations again, with the numbers of what they wrote. */
  void recordNumbered() {
    long version = connection.versionWritten();
    numbered.record(journal, value -> recorder.scalar(new Versioned(value, version)));
  }

  @Override
  public void read(OpKind.Type type, long key) throws ClientException {
    boolean known = false;
    try {
      switch (type) {
        case LIST, SET -> addElements(type, key, connection.readElements(type, key));
        default -> {
          long value = connection.readNumber(type, key);
          add(type.readKind(), key, value);
          seen.put(key, value);
        }
      }
      known = true;
    } finally {
      if (!known) {
        add(type.readKind(), key, RawScalars.UNKNOWN);
      }
    }
  }

  @Override
  public void readVersion(long key) throws ClientException {
    boolean known = false;
    try {
      long value = connection.readNumber(OpKind.Type.REGISTER, key);
      long version = connection.versionRead();
      known = true;
      boolean plain = value == ClientSession.NONE || version == ClientSession.NONE;
      addNumbered(OpKind.READ, key, plain ? value : recorder.scalar(new Versioned(value, version)));
    } finally {
      if (!known) {
        addNumbered(OpKind.READ, key, RawScalars.UNKNOWN);
      }
    }
  }

  @Override
  public void writeVersion(long key) throws ClientException {
    long value = unique.getAsLong();
    addNumbered(OpKind.WRITE, key, value);
    connection.write(OpKind.Type.REGISTER, key, value);
  }

  private void addNumbered(OpKind kind, long key, long value) {
    add(kind, key, value);
    numbered.add(kind, key, value);
  }

  @Override
  public void write(OpKind.Type type, long key) throws ClientException {
    long value = type == OpKind.Type.COUNTER ? 1 : unique.getAsLong();
    add(type.writeKind(), key, value);
    connection.write(type, key, value);
  }

  @Override
  public void compareAndSet(long key) throws ClientException {
    long expected = seen.get(key);
    long value = unique.getAsLong();
    boolean known = false;
    try {
      boolean done = connection.compareAndSet(key, expected, value);
      known = true;
      add(OpKind.READ, key, done ? expected : recorder.scalar(otherThan(expected)));
      if (done) {
        add(OpKind.WRITE, key, value);
        seen.put(key, value);
      }
    } finally {
      if (!known) {
        add(OpKind.READ, key, RawScalars.UNKNOWN);
        add(OpKind.WRITE, key, value);
      }
    }
  }

  private OtherThan otherThan(long value) {
    return new OtherThan(value == RawScalars.NIL ? null : (Object) value);
  }

  @Override
  public void delete(long key) throws ClientException {
    boolean known = false;
    try {
      if (connection.delete(key)) {
        add(OpKind.WRITE, key, RawScalars.NIL);
        seen.put(key, RawScalars.NIL);
      }
      known = true;
    } finally {
      if (!known) {
        add(OpKind.WRITE, key, RawScalars.NIL);
      }
    }
  }

  @Override
  public void row(RowOperation operation) throws ClientException {
    rows.run(operation, unique.getAsLong());
  }

  private void add(OpKind kind, long key, long value) {
    if (!recorder.discards()) {
      journal.op(kind, key, value);
    }
  }

  private void addElements(OpKind.Type type, long key, int length) {
    if (recorder.discards()) {
      return;
    }
    if (type == OpKind.Type.LIST) {
      journal.readList(key, connection.elements(), 0, length);
    } else {
      journal.readSet(key, connection.elements(), 0, length);
    }
  }
}
