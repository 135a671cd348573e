package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import java.util.function.Function;

/**
 * What is particular to a data type, beside its properties in {@link OpKind.Type}. A new type has
 * one implementation of this, and a line in {@link #of}.
 *
 * <p>Checkers know registers and lists. A type with items is decided by seeing each item as a
 * register ({@link AsRegisters}); any other by what its reads imply ({@link #dependencies}).
 */
public interface DataType {
  static DataType of(OpKind.Type type) {
    return switch (type) {
      case REGISTER -> Registers.TYPE;
      case LIST -> Lists.TYPE;
      case SET -> Sets.TYPE;
      case COUNTER -> Counters.TYPE;
      case PREDICATE -> throw new IllegalArgumentException("operations on rows, not a type");
    };
  }

  /**
   * The check of single reads. The function makes one for each thread, which reports what it finds.
   */
  Function<ReadAnomalies, TypeReads> reads(History history, ReadsFrom reads);

  /**
   * An empty store; null for registers, which are rows to predicates too, so that the replay keeps
   * them itself.
   */
  TypeStore store(History history);

  /** How a database keeps values of this type. */
  SqlTable table();

  /** What reads imply; null for types whose versions are in one order. */
  default TypeDependencies dependencies(History history, ReadsFrom reads) {
    return null;
  }

  /**
   * Whether the value of a read alone shows that some write of this value to its key came before
   * it. Asked only where each value is an item ({@link OpKind.Type#hasItems}).
   */
  default boolean shows(History history, int read, int write) {
    throw new UnsupportedOperationException("not a type with items");
  }

  /** The same, that no write of this value came before it. */
  default boolean misses(History history, int read, int write) {
    throw new UnsupportedOperationException("not a type with items");
  }

  /** A write of a transaction that a read misses, or −1. */
  static int missed(History history, int read, int by) {
    OpKind.Type type = history.kind(read).type();
    for (int op = history.firstOp(by); op < history.endOp(by); op++) {
      boolean sameKey = history.key(op) == history.key(read) && history.kind(op).isWrite();
      if (sameKey && history.kind(op).type() == type && of(type).misses(history, read, op)) {
        return op;
      }
    }
    return -1;
  }
}
