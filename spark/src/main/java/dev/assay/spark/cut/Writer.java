package dev.assay.spark.cut;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.spark.input.Block;
import dev.assay.spark.input.Scalar;
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
  static byte[] bytes(Block block, int txn, int op) {
    History history = block.history;
    return Scalar.bytes(
        block.number(txn),
        (long) (op - history.firstOp(txn)),
        history.sessionName(history.session(txn)),
        history.ownId(txn),
        history.isCommitted(txn),
        history.start(txn),
        history.end(txn),
        history.position(txn),
        (long) history.file(txn));
  }

  public static Writer of(byte[] bytes) {
    List<Object> fields = Scalar.of(bytes);
    return new Writer(
        (Long) fields.get(0),
        ((Long) fields.get(1)).intValue(),
        fields.get(2),
        fields.get(3),
        (Boolean) fields.get(4),
        (Long) fields.get(5),
        (Long) fields.get(6),
        (Long) fields.get(7),
        ((Long) fields.get(8)).intValue());
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
