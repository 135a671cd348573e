package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a history holds that a format may be unable to express, counted in one pass. A format names
 * what it cannot say and gets the phrases for {@link HistoryFormat#losses}:
 *
 * <pre>{@code
 * return new Losses(history).registersOnly().integersOnly().knownReadsOnly().phrases();
 * }</pre>
 *
 * <p>Ids of transactions and names of sessions are labels; leaving them out loses nothing.
 */
public final class Losses {
  /** What a run is called in metadata, and the notes of a reader, which are not part of it. */
  private static final Set<String> LABELS = Set.of("info", "start", "end");

  private static final String NOTE_PREFIX = "note.";

  private final History history;
  private final List<String> phrases = new ArrayList<>();
  private final long[] operations = new long[OpKind.Type.values().length];
  private long foreignKeys;
  private long foreignValues;
  private long numbers;
  private long unknownReads;
  private long zeros;
  private long zeroWrites;
  private long nils;
  private final long[] outcomes = new long[Outcome.values().length];
  private long timed;
  private long shownTimed;
  private long timestamped;
  private long positioned;
  private long levels;
  private long errors;

  public Losses(History history) {
    this.history = history;
    countOperations();
    countTransactions();
  }

  /** The format has reads and writes of integers, their transactions and sessions, and no more. */
  public Losses integerRegistersOnly() {
    return registersOnly()
        .integersOnly()
        .knownReadsOnly()
        .withoutIndeterminate()
        .withoutTimes()
        .withoutDatabaseFacts()
        .withoutMetadata();
  }

  /** The format has registers and lists of integers, and the database's timestamps. */
  public Losses timestampedIntegersOnly() {
    return typesOnly(EnumSet.of(OpKind.Type.REGISTER, OpKind.Type.LIST))
        .integersOnly()
        .knownReadsOnly()
        .withoutAborted()
        .withoutIndeterminate()
        .withoutTimes()
        .withoutOrderAndErrors()
        .withoutMetadata();
  }

  /** The format has registers and no other type. */
  Losses registersOnly() {
    return typesOnly(EnumSet.of(OpKind.Type.REGISTER));
  }

  private Losses typesOnly(Set<OpKind.Type> types) {
    for (OpKind.Type type : OpKind.Type.values()) {
      if (!types.contains(type)) {
        String one = type.noun() + " operation";
        add(operations[type.ordinal()], one, one + "s");
      }
    }
    return this;
  }

  /** The format has no keys and values but nil and 64-bit integers. */
  Losses integersOnly() {
    add(
        foreignKeys,
        "operation on a key that is not a 64-bit integer",
        "operations on keys that are not 64-bit integers");
    add(
        foreignValues,
        "operation with a value that is not a 64-bit integer",
        "operations with values that are not 64-bit integers");
    add(numbers, "version number", "version numbers");
    return this;
  }

  /** The format cannot say that the result of a read was never seen. */
  Losses knownReadsOnly() {
    add(unknownReads, "read whose result is unknown", "reads whose results are unknown");
    return this;
  }

  /** The format has no nil: 0 is the initial value. */
  public Losses zeroIsInitial() {
    if (!history.zeroIsInitial() && zeros > 0) {
      phrases.add(
          "the value 0 in "
              + counted(zeros, "operation", "operations")
              + ", which this format takes for the initial value");
    } else if (zeroWrites > 0 && nils > 0) {
      phrases.add(nilAndZero());
    }
    return this;
  }

  /** The format has nil for the initial value, and takes a write of nil for a deletion. */
  public Losses nilIsInitial() {
    if (history.zeroIsInitial()) {
      add(
          zeroWrites,
          "that ",
          "write of 0 loads an initial value",
          "writes of 0 load initial values");
    }
    return this;
  }

  /** The format has no initial value: a read of one reads a 0 that a transaction wrote. */
  public Losses withoutInitialValue() {
    InitialReads initial = new InitialReads(history);
    long reads = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      reads += initial.has(op) ? 1 : 0;
    }
    add(
        reads,
        "that ",
        "read saw the initial state, which becomes a transaction that writes 0",
        "reads saw the initial state, which becomes a transaction that writes 0");
    if (reads == 0 && history.zeroIsInitial()) {
      add(zeros, "that 0 is the initial value, in ", "operation", "operations");
    }
    if (nils > 0 && (history.zeroIsInitial() ? zeroWrites : zeros) > 0) {
      phrases.add(nilAndZero());
    }
    return this;
  }

  private String nilAndZero() {
    return "the difference between nil and 0, in "
        + counted(nils + zeros, "operation", "operations");
  }

  /** The format has one initial value for all keys. */
  public Losses withoutInitialState() {
    long declared = 0;
    for (int key = 0; key < history.keys().count(); key++) {
      declared += history.declaredInitial(key) == Values.UNKNOWN ? 0 : 1;
    }
    add(declared, "the declared initial values of ", "key", "keys");
    return this;
  }

  public Losses withoutAborted() {
    add(outcomes[Outcome.ABORTED.ordinal()], "aborted transaction", "aborted transactions");
    return this;
  }

  Losses withoutIndeterminate() {
    add(
        outcomes[Outcome.INDETERMINATE.ordinal()],
        "indeterminate transaction",
        "indeterminate transactions");
    return this;
  }

  /** The format has no real times, nor times that are only shown. */
  Losses withoutTimes() {
    add(timed, "real times of ", "transaction", "transactions");
    add(shownTimed, "shown times of ", "transaction", "transactions");
    return this;
  }

  /** The format has nothing that the database itself said: timestamps, an order, errors. */
  Losses withoutDatabaseFacts() {
    add(timestamped, "timestamps of ", "transaction", "transactions");
    return withoutOrderAndErrors();
  }

  private Losses withoutOrderAndErrors() {
    add(positioned, "serialization positions of ", "transaction", "transactions");
    add(levels, "levels of ", "transaction", "transactions");
    add(errors, "error message", "error messages");
    return this;
  }

  public Losses withoutMetadata() {
    for (String name : history.metadata().keySet()) {
      if (!LABELS.contains(name) && !name.startsWith(NOTE_PREFIX)) {
        phrases.add("metadata \"" + name + "\"");
      }
    }
    return this;
  }

  public List<String> phrases() {
    return List.copyOf(phrases);
  }

  private void add(long count, String one, String many) {
    add(count, "", one, many);
  }

  private void add(long count, String prefix, String one, String many) {
    if (count > 0) {
      phrases.add(prefix + counted(count, one, many));
    }
  }

  /** A number and its noun: {@code 1 read}, {@code 2 reads}. */
  public static String counted(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private void countOperations() {
    IntegerRegisters registers = new IntegerRegisters(history);
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      operations[kind.type().ordinal()]++;
      if (kind.isPredicate()) {
        continue;
      }
      if (!registers.isIntegerKey(history.key(op))) {
        foreignKeys++;
      }
      int value = history.value(op);
      if (value == Values.UNKNOWN) {
        unknownReads++;
      } else if (!kind.readsSequence()) {
        countValue(kind, value, registers);
      }
    }
  }

  private void countValue(OpKind kind, int value, IntegerRegisters registers) {
    if (!registers.isIntegerValue(value)) {
      foreignValues++;
    } else if (kind.type() == OpKind.Type.REGISTER) {
      numbers += history.values().isVersioned(value) ? 1 : 0;
      Object plain = registers.plain(value);
      if (plain == null) {
        nils++;
      } else if (plain.equals(0L)) {
        zeros++;
        zeroWrites += kind.isWrite() ? 1 : 0;
      }
    }
  }

  private void countTransactions() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      outcomes[history.outcome(txn).ordinal()]++;
      timed += given(history.start(txn), history.end(txn));
      shownTimed += given(history.shownStart(txn), history.shownEnd(txn));
      timestamped += given(history.snapshotTs(txn), history.commitTs(txn));
      positioned += given(history.serialPosition(txn), History.ABSENT);
      levels += history.level(txn) == null ? 0 : 1;
      errors += history.error(txn) == null ? 0 : 1;
    }
  }

  private static int given(long a, long b) {
    return a == History.ABSENT && b == History.ABSENT ? 0 : 1;
  }
}
