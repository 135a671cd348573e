package dev.assay.history;

import java.util.List;
import java.util.Locale;

/**
 * What an operation does, and the words for it. The kind also says how to read the operation's
 * value column: a value code, a sequence id, or a predicate id.
 *
 * <p>The format {@code assay} stores the ordinals, so a new kind goes to the end.
 */
public enum OpKind {
  /** {@code read(k) -> v} of a register; value: a code. */
  READ("r", Type.REGISTER, false, "read", "read %s = %s"),
  /** {@code write(k, v)} of a register; value: a code. */
  WRITE("w", Type.REGISTER, true, "write", "wrote %s = %s"),
  /** {@code read(k) -> [e...]} of a list; value: a sequence id, or unknown. */
  LIST_READ("r", Type.LIST, false, "read", "read %s = %s"),
  /** {@code append(k, e)} to a list; value: a code. */
  APPEND("append", Type.LIST, true, "append", "appended %2$s to %1$s"),
  /** {@code read(k) -> {e...}} of a set; value: a sequence id, or unknown. */
  SET_READ("rs", Type.SET, false, "read", "read %s = %s"),
  /** {@code add(k, e)} to a set; value: a code. */
  ADD("add", Type.SET, true, "add", "added %2$s to %1$s"),
  /** {@code read(k) -> n} of a counter; value: a code. */
  COUNTER_READ("rc", Type.COUNTER, false, "read", "read %s = %s"),
  /** {@code increment(k, n)} of a counter; value: a code. */
  INCREMENT("inc", Type.COUNTER, true, "increment", "incremented %s by %s"),
  /** {@code select(P) -> {(k, v)...}}; no key; value: a predicate id; its rows follow as reads. */
  SELECT("select", Type.PREDICATE, false, "select", "selected %s -> %s"),
  /** A predicate update; no key; value: a predicate id; the rows it left follow as writes. */
  UPDATE("update", Type.PREDICATE, true, "update", "updated %s -> %s");

  /** What sets data types apart; see the methods of {@link Type}. */
  private enum Trait {
    NAMES_VERSIONS,
    HAS_ELEMENTS,
    COMMUTES,
    IS_NUMBER
  }

  /** The data type an operation belongs to, and its properties. */
  public enum Type {
    REGISTER(Trait.NAMES_VERSIONS),
    LIST(Trait.NAMES_VERSIONS, Trait.HAS_ELEMENTS),
    SET(Trait.NAMES_VERSIONS, Trait.HAS_ELEMENTS, Trait.COMMUTES),
    COUNTER(Trait.COMMUTES, Trait.IS_NUMBER),
    PREDICATE;

    private final boolean namesVersions;
    private final boolean hasElements;
    private final boolean commutes;
    private final boolean isNumber;

    Type(Trait... traits) {
      List<Trait> all = List.of(traits);
      this.namesVersions = all.contains(Trait.NAMES_VERSIONS);
      this.hasElements = all.contains(Trait.HAS_ELEMENTS);
      this.commutes = all.contains(Trait.COMMUTES);
      this.isNumber = all.contains(Trait.IS_NUMBER);
    }

    /** In sentences: {@code register}. */
    public String noun() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether a write names the version, or the element, that it makes, so that a read of it names
     * its writer. All checkers decide histories of such types.
     */
    public boolean namesVersions() {
      return namesVersions;
    }

    /** Whether a value is a sequence of elements, and a write adds one of them. */
    public boolean hasElements() {
      return hasElements;
    }

    /**
     * Whether two writes have the same effect in either order. Such writes do not conflict, and the
     * versions of a key are not in one order.
     */
    public boolean commutes() {
      return commutes;
    }

    /** Whether a value is an integer, and 0 at first. */
    public boolean isNumber() {
      return isNumber;
    }

    /** Whether each value written is an item of its own, which is absent until it is written. */
    public boolean hasItems() {
      return namesVersions && commutes;
    }

    /** Whether each write makes a version that it names, and these are in one order. */
    public boolean ordersVersions() {
      return namesVersions && !commutes;
    }

    /** The kind of its reads. */
    public OpKind readKind() {
      return kind(false);
    }

    /** The kind of its writes. */
    public OpKind writeKind() {
      return kind(true);
    }

    private OpKind kind(boolean write) {
      for (OpKind kind : VALUES) {
        if (kind.type == this && kind.write == write) {
          return kind;
        }
      }
      throw new IllegalStateException("no operation of " + this);
    }
  }

  private static final OpKind[] VALUES = values();

  private final String symbol;
  private final Type type;
  private final boolean write;
  private final String verb;
  private final String sentence;

  OpKind(String symbol, Type type, boolean write, String verb, String sentence) {
    this.symbol = symbol;
    this.type = type;
    this.write = write;
    this.verb = verb;
    this.sentence = sentence;
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
    return type.hasElements && !write;
  }

  /** Whether it adds an element to a sequence. */
  public boolean writesElement() {
    return type.hasElements && write;
  }

  /** Whether it writes a version or an element that its value names. */
  public boolean writesNamed() {
    return type.namesVersions && write;
  }

  /** What the rows of a predicate operation are. */
  public OpKind rowKind() {
    return this == UPDATE ? WRITE : READ;
  }

  /** Whether the value column holds a predicate id and the key column nothing. */
  public boolean isPredicate() {
    return type == Type.PREDICATE;
  }

  /** What it does, as a noun as well: {@code append}, {@code increment}. */
  public String verb() {
    return verb;
  }

  /** The operation as in a listing: {@code append x 5}, {@code read x -> [5]}. */
  public String listed(String key, String value) {
    return verb + " " + key + (write && !isPredicate() ? " " : " -> ") + value;
  }

  /** The operation in a sentence: {@code appended 5 to x}, {@code read x = [5]}. */
  public String inSentence(String key, String value) {
    return sentence.formatted(key, value);
  }

  /** The past tense of its verb. */
  public String past() {
    return sentence.substring(0, sentence.indexOf(' '));
  }
}
