package dev.assay.collect;

import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Versioned;

/** Fills a {@link HistoryBuilder} with generated transactions. */
public final class HistorySink implements TransactionSink {
  private final HistoryBuilder builder;
  private int transaction;

  public HistorySink(HistoryBuilder builder) {
    this.builder = builder;
    builder.zeroIsInitial(true);
  }

  @Override
  public void begin(long session) {
    transaction = builder.begin(builder.rawSession(session), Outcome.COMMITTED);
  }

  @Override
  public void op(OpKind kind, long key, long value) {
    builder.op(kind, key, value);
  }

  @Override
  public void otherRead(long key, long value) {
    builder.readOther(key, value);
  }

  @Override
  public void numbered(OpKind kind, long key, long value, long version) {
    builder.op(kind, key, builder.scalars().of(new Versioned(value, version)));
  }

  @Override
  public void listRead(long key, long[] elements, int length) {
    builder.readList(key, elements, 0, length);
  }

  @Override
  public void end(Outcome outcome, long start, long end) {
    builder.outcome(transaction, outcome);
    builder.start(transaction, start);
    builder.end(transaction, end);
  }
}
