package dev.assay.check;

/**
 * Read consistency of one data type: finds the anomalies that the reads of one transaction show
 * without any order between transactions.
 */
interface TypeReads {
  /** Checks the reads of this type in a transaction. */
  void check(int txn);
}
