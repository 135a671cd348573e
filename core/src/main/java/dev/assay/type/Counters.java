package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.math.BigInteger;
import java.util.Arrays;
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
    CounterTotals totals = new CounterTotals(history, reads);
    return found -> new CounterReads(history, ranges, totals, found);
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

    /** What each counter begins at; null where that is not known before its first read. */
    private final Long[] starts;

    Store(History history) {
      this.history = history;
      this.sums = new long[history.keys().count()];
      this.starts = new Long[sums.length];
      Arrays.fill(starts, history.countersBeginAnywhere() ? null : Long.valueOf(0));
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
      int code = history.value(read);
      int key = history.key(read);
      long value = code == Values.NIL ? 0 : history.values().asLong(code);
      if (starts[key] == null) {
        starts[key] = value - sums[key];
      }
      return starts[key] + sums[key] == value;
    }
  }
}
