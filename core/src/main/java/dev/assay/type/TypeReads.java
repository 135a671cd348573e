package dev.assay.type;

/**
 * Read consistency of one data type: finds the anomalies that the reads of one transaction show
 * without any order between transactions.
 */
public interface TypeReads {
  /** Checks the reads of this type in a transaction. */
  void check(int txn);
}
