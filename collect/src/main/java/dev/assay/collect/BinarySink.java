package dev.assay.collect;

import dev.assay.format.TransactionRecord;
import dev.assay.format.binary.AssayBinaryWriter;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;
import dev.assay.history.Outcome;
import dev.assay.history.Versioned;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Writes generated transactions straight to the binary format, so that a history may be larger than
 * memory.
 */
public final class BinarySink implements TransactionSink, AutoCloseable {
  private final AssayBinaryWriter writer;
  private final TransactionRecord record = new TransactionRecord();
  private long transactions;
  private long operations;

  public BinarySink(OutputStream out, Map<String, String> metadata) throws IOException {
    writer = new AssayBinaryWriter(out, true, metadata);
  }

  @Override
  public void begin(long session) {
    record.begin(writer.session(session));
  }

  @Override
  public void op(OpKind kind, long key, long value) {
    record.op(kind, key, value);
  }

  @Override
  public void otherRead(long key, long value) {
    record.op(OpKind.READ, key, writer.scalar(new OtherThan(value)));
  }

  @Override
  public void numbered(OpKind kind, long key, long value, long version) {
    record.op(kind, key, writer.scalar(new Versioned(value, version)));
  }

  @Override
  public void listRead(long key, long[] elements, int length) {
    record.readList(key, elements, 0, length);
  }

  @Override
  public void end(Outcome outcome, long start, long end) {
    record.outcome(outcome);
    record.times(start, end);
    transactions++;
    operations += record.size();
    try {
      writer.append(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Transactions written so far. */
  public long transactions() {
    return transactions;
  }

  /** Operations written so far. */
  public long operations() {
    return operations;
  }

  /** Marks the file as complete; the stream stays open. */
  public void finish() throws IOException {
    writer.finish();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
