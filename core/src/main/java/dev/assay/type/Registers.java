package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.resolve.ReadsFrom;
import java.util.function.Function;

/** A write replaces the value. */
final class Registers implements DataType {
  static final DataType TYPE = new Registers();

  private Registers() {}

  @Override
  public Function<ReadAnomalies, TypeReads> reads(History history, ReadsFrom reads) {
    boolean anyAborted = anyAborted(history);
    return found -> new RegisterReads(history, reads, anyAborted, found);
  }

  private static boolean anyAborted(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.ABORTED) {
        return true;
      }
    }
    return false;
  }

  @Override
  public TypeStore store(History history) {
    return null;
  }

  @Override
  public SqlTable table() {
    return new SqlTable(
        "registers",
        "k %1$s PRIMARY KEY, v %2$s",
        "NULL",
        "UPDATE registers SET v = %2$s WHERE k = %1$s");
  }
}
