package dev.assay.check;

/** Read consistency of one data type, one transaction at a time. */
interface TypeReads {
  /** Checks the reads of this type in a transaction. */
  void check(int txn);
}
