package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.math.BigInteger;
import java.util.function.Function;

/** A write adds a number, and a read returns the sum, which does not name the writes it saw. */
public final class Counters implements DataType {
  static final DataType TYPE = new Counters();

  private Counters() {}

  /** The number that an operation adds or read; an untouched counter reads as nil or 0. */
  public static BigInteger amount(History history, int op) {
    int code = history.value(op);
    if (code == Values.NIL) {
      return BigInteger.ZERO;
    }
    Object value = history.values().get(code);
    return value instanceof BigInteger big ? big : BigInteger.valueOf((Long) value);
  }

  @Override
  public Function<ReadAnomalies, TypeReads> reads(History history, ReadsFrom reads) {
    CounterRanges ranges = new CounterRanges(history);
    return found -> new CounterReads(history, ranges, found);
  }

  @Override
  public TypeDependencies dependencies(History history, ReadsFrom reads) {
    return new CounterDependencies(history, reads);
  }

  @Override
  public TypeStore store(History history) {
    return new Store(history);
  }

  @Override
  public SqlTable table() {
    return new SqlTable(
        "counters",
        "k %1$s PRIMARY KEY, v BIGINT NOT NULL",
        "0",
        "UPDATE counters SET v = v + %2$s WHERE k = %1$s");
  }

  private static final class Store implements TypeStore {
    private final History history;
    private final long[] sums;

    Store(History history) {
      this.history = history;
      this.sums = new long[history.keys().count()];
    }

    @Override
    public Runnable write(int op) {
      int key = history.key(op);
      long amount = history.values().asLong(history.value(op));
      sums[key] += amount;
      return () -> sums[key] -= amount;
    }

    @Override
    public boolean agrees(int read) {
      int value = history.value(read);
      return sums[history.key(read)] == (value == Values.NIL ? 0 : history.values().asLong(value));
    }
  }
}
