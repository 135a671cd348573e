package dev.assay.history;

/**
 * What an operation does. The kind also says how to read the operation's value column: a value
 * code, a sequence id, or a predicate id.
 */
public enum OpKind {
  /** {@code read(k) -> v} of a register; value: a code. */
  READ("r", Type.REGISTER, false),
  /** {@code write(k, v)} of a register; value: a code. */
  WRITE("w", Type.REGISTER, true),
  /** {@code read(k) -> [e...]} of a list; value: a sequence id, or unknown. */
  LIST_READ("r", Type.LIST, false),
  /** {@code append(k, e)} to a list; value: a code. */
  APPEND("append", Type.LIST, true),
  /** {@code read(k) -> {e...}} of a set; value: a sequence id, or unknown. */
  SET_READ("rs", Type.SET, false),
  /** {@code add(k, e)} to a set; value: a code. */
  ADD("add", Type.SET, true),
  /** {@code read(k) -> n} of a counter; value: a code. */
  COUNTER_READ("rc", Type.COUNTER, false),
  /** {@code increment(k, n)} of a counter; value: a code. */
  INCREMENT("inc", Type.COUNTER, true),
  /** {@code select(P) -> {(k, v)...}}; no key; value: a predicate id; its rows follow as reads. */
  SELECT("select", Type.PREDICATE, false),
  /** A predicate update; no key; value: a predicate id; the rows it left follow as writes. */
  UPDATE("update", Type.PREDICATE, true);

  /** The data type an operation belongs to. */
  public enum Type {
    REGISTER,
    LIST,
    SET,
    COUNTER,
    PREDICATE
  }

  private static final OpKind[] VALUES = values();

  private final String symbol;
  private final Type type;
  private final boolean write;

  OpKind(String symbol, Type type, boolean write) {
    this.symbol = symbol;
    this.type = type;
    this.write = write;
  }

  public static OpKind of(int ordinal) {
    return VALUES[ordinal];
  }

  /** The first element of the operation in {@code assay-jsonl} and in JSON reports. */
  public String symbol() {
    return symbol;
  }

  public Type type() {
    return type;
  }

  public boolean isWrite() {
    return write;
  }

  /** Whether the value column holds a sequence id (or {@link Values#UNKNOWN}). */
  public boolean readsSequence() {
    return this == LIST_READ || this == SET_READ;
  }

  /** What the rows of a predicate operation are. */
  public OpKind rowKind() {
    return this == UPDATE ? WRITE : READ;
  }

  /** Whether the value column holds a predicate id and the key column nothing. */
  public boolean isPredicate() {
    return type == Type.PREDICATE;
  }
}
