package dev.assay.collect.client;

/** What an error says about the transaction it ended. */
public enum Failure {
  /** The database refused: the transaction has not taken effect and never will. */
  REFUSED,
  /**
   * The connection is gone, or the error is not known to be a refusal. Before commit was asked for
   * the transaction did not take effect; after that, it is unknown.
   */
  LOST,
  /** The statement can never work here: going on would record nothing but this error. */
  WRONG
}
