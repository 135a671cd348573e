package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.spark.input.Block;
import dev.assay.spark.input.Scalar;
import java.util.Arrays;
import java.util.List;

/**
 * The transaction that wrote a version, as far as those that read it in another window need it.
 *
 * @param number its place among all transactions
 * @param place the place of the write among its operations
 */
public record Writer(
    long number,
    int place,
    Object session,
    Object id,
    boolean committed,
    long start,
    long end,
    long position,
    int file) {
  private static final int BYTES = 48;

  /** There is one for each write, so that they are few bytes and made without objects between. */
  static byte[] bytes(Block block, int txn, int op) {
    History history = block.history;
    Output out = new Output(BYTES, -1);
    out.writeLong(block.number(txn), true);
    out.writeInt(op - history.firstOp(txn), true);
    out.writeBoolean(history.isCommitted(txn));
    out.writeLong(history.start(txn), false);
    out.writeLong(history.end(txn), false);
    out.writeLong(history.position(txn), false);
    out.writeInt(history.file(txn), false);
    Object session = history.sessionName(history.session(txn));
    Object id = history.ownId(txn);
    // The usual case: sessions are numbers, and transactions have no ids.
    boolean isNumbered = session instanceof Long && id == null;
    out.writeBoolean(isNumbered);
    if (isNumbered) {
      out.writeLong((Long) session, false);
    } else {
      out.writeBytes(Scalar.bytes(session, id));
    }
    return out.toBytes();
  }

  public static Writer of(byte[] bytes) {
    Input in = new Input(bytes);
    long number = in.readLong(true);
    int place = in.readInt(true);
    boolean committed = in.readBoolean();
    long start = in.readLong(false);
    long end = in.readLong(false);
    long position = in.readLong(false);
    int file = in.readInt(false);
    List<Object> names =
        in.readBoolean()
            ? Arrays.asList(in.readLong(false), null)
            : Scalar.of(in.readBytes(bytes.length - (int) in.total()));
    return new Writer(
        number, place, names.get(0), names.get(1), committed, start, end, position, file);
  }

  /** Adds the transaction without its operations. */
  public int addTo(HistoryBuilder builder) {
    Outcome outcome = committed ? Outcome.COMMITTED : Outcome.INDETERMINATE;
    int txn = builder.begin(builder.session(session), outcome);
    builder.start(txn, start);
    builder.end(txn, end);
    builder.position(txn, position);
    builder.file(txn, file);
    return txn;
  }
}
