package dev.assay.history;

import java.util.BitSet;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A recorded history: transactions numbered from 0 in order of first appearance, their operations
 * in program order, as immutable columns of primitives.
 *
 * <p>Columns are read with plain methods ({@code h.key(op)}), which cost an array access. {@link
 * #operation} and {@link #text} make objects and are for output only. Keys are numbered densely
 * ({@link Keys}), values are int codes that are equal exactly when the values are ({@link Values}),
 * and list and set results are {@link Sequences}.
 *
 * <p>The virtual transaction that wrote every initial version is not among the transactions.
 */
public final class History {
  /** A time, timestamp or position that the source does not give. */
  public static final long ABSENT = Long.MIN_VALUE;

  /**
   * The metadata that names the session which read every key after all others had ended, so that it
   * must have seen everything acknowledged.
   */
  public static final String FINAL_SESSION = "final-session";

  /** The metadata that lists what the final session could not read; losses there are not found. */
  public static final String UNREAD_IN_THE_END = "note.final-reads";

  /**
   * The metadata that says what counters hold before the first transaction: 0, unless it is {@link
   * #ANY_START}.
   */
  public static final String COUNTERS = "counters";

  /** Each counter begins at a number that is not known, as in Jepsen's bank. */
  public static final String ANY_START = "any-start";

  static final Map<String, String> COUNTERS_ANYWHERE = Map.of(COUNTERS, ANY_START);

  /** Prefix of metadata that count what happened in a recorded run. */
  public static final String RUN = "run.";

  /** Prefix of metadata that count the errors of a recorded run, by kind. */
  public static final String RUN_ERROR = RUN + "error.";

  private static final int BLOCK_BITS = 5;

  final Columns columns;
  final Keys keys;
  final Values values;
  final Sequences sequences;
  final Predicates predicates;
  private final SessionOrder sessionOrder;

  /** The transaction of the first operation of each block of operations. */
  private final int[] firstInBlock;

  private final Labels labels;

  History(Columns columns, Keys keys, Values values, Sequences sequences, Predicates predicates) {
    this.columns = columns;
    this.keys = keys;
    this.values = values;
    this.sequences = sequences;
    this.predicates = predicates;
    this.sessionOrder = new SessionOrder(columns.session, columns.sessionNames.length);
    this.firstInBlock = firstInBlock(columns.firstOp);
    this.labels = new Labels(this);
  }

  private static int[] firstInBlock(int[] firstOp) {
    int operations = firstOp[firstOp.length - 1];
    int[] first = new int[(operations >>> BLOCK_BITS) + 1];
    int txn = 0;
    for (int block = 0; block < first.length; block++) {
      while (txn + 1 < firstOp.length && firstOp[txn + 1] <= block << BLOCK_BITS) {
        txn++;
      }
      first[block] = txn;
    }
    return first;
  }

  /**
   * The same history where more transactions are known to have committed, though their clients
   * never learned it: what they did may have taken effect at any time after they began.
   */
  public History committing(BitSet more) {
    return more.isEmpty()
        ? this
        : new History(columns.committing(more), keys, values, sequences, predicates);
  }

  /**
   * The same history with other results of register reads.
   *
   * @param results for each operation its value; an {@link OtherThan} only where it was one
   */
  public History withResults(int[] results) {
    Columns other = columns.copy();
    other.value = results.clone();
    other.others = columns.others && values.anyOther(results);
    return new History(other, keys, values, sequences, predicates);
  }

  // ---- the whole

  public int transactionCount() {
    return columns.session.length;
  }

  public int operationCount() {
    return columns.kind.length;
  }

  public int sessionCount() {
    return columns.sessionNames.length;
  }

  /** Whether there are operations of this type. */
  public boolean uses(OpKind.Type type) {
    return (columns.types & bit(type)) != 0;
  }

  /** Whether there are operations of a type with this property. */
  public boolean uses(Predicate<OpKind.Type> property) {
    for (OpKind.Type type : OpKind.Type.values()) {
      if (uses(type) && property.test(type)) {
        return true;
      }
    }
    return false;
  }

  /** Whether some reads are known only not to have seen a value: {@link OtherThan}. */
  public boolean hasOtherReads() {
    return columns.others;
  }

  /** Whether some reads and writes have the number of the version: {@link Versioned}. */
  public boolean hasVersionNumbers() {
    return columns.versions;
  }

  /** Whether a read is known only not to have seen a value. */
  public boolean isOtherRead(int op) {
    return columns.others
        && columns.kind[op] == OpKind.READ.ordinal()
        && values.isOther(columns.value[op]);
  }

  /** Whether the result of a register read is this value; nil and 0 may both be initial. */
  public boolean agrees(int read, int valueCode) {
    int key = columns.key[read];
    boolean other = isOtherRead(read);
    int named = other ? values.excluded(columns.value[read]) : columns.value[read];
    boolean initial = isInitial(key, named) && isInitial(key, valueCode);
    return (initial || values.mayBe(named, valueCode)) != other;
  }

  /** Whether there are only registers, which may be rows, and predicates on them. */
  public boolean isOfRows() {
    return (columns.types & ~(bit(OpKind.Type.REGISTER) | bit(OpKind.Type.PREDICATE))) == 0;
  }

  private static int bit(OpKind.Type type) {
    return 1 << type.ordinal();
  }

  public Keys keys() {
    return keys;
  }

  public Values values() {
    return values;
  }

  public Sequences sequences() {
    return sequences;
  }

  public Predicates predicates() {
    return predicates;
  }

  public Origin origin() {
    return columns.origin;
  }

  /** What the source says about the run: database, version, level asked, seed, and the like. */
  public Map<String, String> metadata() {
    return columns.metadata;
  }

  /** Whether 0 is the initial value, as in formats that have no nil. */
  public boolean zeroIsInitial() {
    return columns.zeroIsInitial;
  }

  /** Whether counters begin at numbers that are not known, rather than at 0. */
  public boolean countersBeginAnywhere() {
    return ANY_START.equals(columns.metadata.get(COUNTERS));
  }

  /** Whether a value code names the initial version of a key, unless a transaction wrote it. */
  public boolean isInitial(int key, int valueCode) {
    int declared = declaredInitial(key);
    return declared == Values.UNKNOWN
        ? valueCode == Values.NIL || (valueCode == 0 && columns.zeroIsInitial)
        : valueCode == declared;
  }

  /** Whether an operation reads or writes the initial value of its register. */
  public boolean hasInitialValue(int op) {
    return isInitial(columns.key[op], columns.value[op]);
  }

  /** Whether registers are declared to begin with something else than nil or 0. */
  public boolean declaresInitial() {
    return columns.initial != null;
  }

  /** The code of the declared initial value of a key, or {@link Values#UNKNOWN}. */
  public int declaredInitial(int key) {
    return columns.initial == null ? Values.UNKNOWN : columns.initial[key];
  }

  /** The code of the declared initial value of a key, or nil. */
  public int initialValue(int key) {
    int declared = declaredInitial(key);
    return declared == Values.UNKNOWN ? Values.NIL : declared;
  }

  /** The code of the declared initial value of all registers, except for keys that have another. */
  public int initialOfAll() {
    if (columns.initialOfAll != Values.UNKNOWN) {
      return columns.initialOfAll;
    }
    return columns.zeroIsInitial ? 0 : Values.NIL;
  }

  // ---- transactions

  public int session(int txn) {
    return columns.session[txn];
  }

  public Outcome outcome(int txn) {
    return Outcome.of(columns.outcome[txn]);
  }

  public boolean isCommitted(int txn) {
    return columns.outcome[txn] == 0;
  }

  /** Whether the client learned that its transaction committed. */
  public boolean isAcknowledged(int txn) {
    boolean learned = columns.unacknowledged == null || !columns.unacknowledged.get(txn);
    return learned && isCommitted(txn);
  }

  public int firstOp(int txn) {
    return columns.firstOp[txn];
  }

  /** One past the last operation of a transaction. */
  public int endOp(int txn) {
    return columns.firstOp[txn + 1];
  }

  /**
   * When a transaction is known to have ended, or {@link #ABSENT}: one of unknown outcome may take
   * effect at any later time, and an end before the start is ignored.
   */
  public long knownEnd(int txn) {
    boolean sane = start(txn) == ABSENT || start(txn) <= end(txn);
    return isAcknowledged(txn) && sane ? end(txn) : ABSENT;
  }

  /** The last write of a key by a transaction, of whatever kind, or −1. */
  public int lastWrite(int txn, int key) {
    for (int op = endOp(txn) - 1; op >= firstOp(txn); op--) {
      if (key(op) == key && kind(op).isWrite()) {
        return op;
      }
    }
    return -1;
  }

  /** The transaction an operation belongs to. */
  public int transactionOf(int op) {
    int txn = firstInBlock[op >>> BLOCK_BITS];
    while (columns.firstOp[txn + 1] <= op) {
      txn++;
    }
    return txn;
  }

  /** Whether any transaction has a start or end time. */
  public boolean hasTimes() {
    return columns.start != null || columns.end != null;
  }

  /** When the client began the transaction, in the units of the source, or {@link #ABSENT}. */
  public long start(int txn) {
    return at(columns.start, txn);
  }

  /** When the client learned the outcome, or {@link #ABSENT}. */
  public long end(int txn) {
    return at(columns.end, txn);
  }

  /** A start time for display where {@link #start} is only an order, or {@link #ABSENT}. */
  public long shownStart(int txn) {
    return at(columns.shownStart, txn);
  }

  /** An end time for display where {@link #end} is only an order, or {@link #ABSENT}. */
  public long shownEnd(int txn) {
    return at(columns.shownEnd, txn);
  }

  /** The database's timestamp of the transaction's snapshot, or {@link #ABSENT}. */
  public long snapshotTs(int txn) {
    return at(columns.snapshotTs, txn);
  }

  /** The database's commit timestamp, or {@link #ABSENT}. */
  public long commitTs(int txn) {
    return at(columns.commitTs, txn);
  }

  /** The place in an expected serialization order, or {@link #ABSENT}. */
  public long serialPosition(int txn) {
    return at(columns.serialPosition, txn);
  }

  /** The name of the level that a transaction ran at, or null. */
  public String level(int txn) {
    int name = columns.level == null ? -1 : columns.level[txn];
    return name < 0 ? null : columns.levelNames.get(name);
  }

  /** Whether transactions say which level they ran at. */
  public boolean hasLevels() {
    return columns.level != null;
  }

  public boolean hasShownTimes() {
    return columns.shownStart != null || columns.shownEnd != null;
  }

  public boolean hasTimestamps() {
    return columns.snapshotTs != null || columns.commitTs != null;
  }

  public boolean hasSerialPositions() {
    return columns.serialPosition != null;
  }

  /** The database's error message if the transaction did not commit, or null. */
  public String error(int txn) {
    return columns.errors.get(txn);
  }

  public boolean hasErrors() {
    return !columns.errors.isEmpty();
  }

  /** The source's own id of the transaction, or null if it has none. */
  public Object ownId(int txn) {
    return columns.id[txn] == Values.UNKNOWN ? null : values.get(columns.id[txn]);
  }

  /**
   * The name of a transaction in reports: the source's own id, {@code session/id} where ids repeat
   * between sessions, {@code session/#n} for the n-th of its session where there is none.
   */
  public String label(int txn) {
    return labels.label(txn);
  }

  /**
   * Whether the {@linkplain #label names} of all transactions are own ids that are texts, so that
   * {@link #transactionWithId} finds them.
   */
  public boolean hasTextIds() {
    return labels.areTexts();
  }

  /** The transaction with this text as its own id, or −1; only where {@link #hasTextIds}. */
  public int transactionWithId(String id) {
    return labels.transaction(id);
  }

  /** Line or offset in the source; {@link Origin#unit} says which. */
  public long position(int txn) {
    return columns.position == null ? 0 : columns.position[txn];
  }

  /** Index into {@link Origin#files}. */
  public int file(int txn) {
    return columns.file == null ? 0 : columns.file[txn];
  }

  /** Whether a transaction has a place in the file; one that was not recorded has none. */
  public boolean hasPlace(int txn) {
    return position(txn) != ABSENT;
  }

  /** The place of a transaction as compilers print it: {@code run.edn:142}. */
  public String place(int txn) {
    return columns.origin.place(file(txn), position(txn));
  }

  /** The place of something inside a transaction, by its line or offset. */
  public String place(int txn, long position) {
    return columns.origin.place(file(txn), position);
  }

  private static long at(long[] column, int txn) {
    return column == null ? ABSENT : column[txn];
  }

  // ---- sessions

  /** The source's name of a session. */
  public Object sessionName(int session) {
    return values.get(columns.sessionNames[session]);
  }

  public String sessionText(int session) {
    return values.text(columns.sessionNames[session]);
  }

  public int sessionSize(int session) {
    return sessionOrder.size(session);
  }

  /** The transaction at this place, from 0, of a session. */
  public int sessionTransaction(int session, int place) {
    return sessionOrder.transaction(session, place);
  }

  /** The place of a transaction in its session, from 0. */
  public int placeInSession(int txn) {
    return sessionOrder.place(txn);
  }

  // ---- operations

  public OpKind kind(int op) {
    return OpKind.of(columns.kind[op]);
  }

  /** The number of the operation's key; −1 for predicate operations. */
  public int key(int op) {
    return columns.key[op];
  }

  /** A value code, a sequence id or a predicate id, by {@link #kind}. */
  public int value(int op) {
    return columns.value[op];
  }

  /** The next operation as clients count them: the rows of a predicate operation are part of it. */
  public int nextOp(int op) {
    return kind(op).isPredicate() ? op + 1 + predicates.rowCount(value(op)) : op + 1;
  }

  /**
   * How many operations of its transaction come before this one, as clients count them; for a row
   * as many as before its predicate operation. For {@link #endOp} it is their number.
   */
  public int ordinal(int txn, int op) {
    if (predicates.count() == 0) {
      return op - firstOp(txn);
    }
    int ordinal = 0;
    for (int next = firstOp(txn); next < op && nextOp(next) <= op; next = nextOp(next)) {
      ordinal++;
    }
    return ordinal;
  }

  /** The operation as an object, for output. */
  public Operation operation(int op) {
    return Operation.of(this, op);
  }

  /** The operation in readable form: {@code read x -> [1 2]}. */
  public String text(int op) {
    return operation(op).toString();
  }
}
