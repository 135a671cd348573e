package dev.assay.collect.record;

/** What may go wrong between a client and its database. */
enum Mishap {
  CANNOT_CONNECT(At.CONNECT),
  CONNECTING_BREAKS(At.CONNECT),
  /** The statement cannot even be prepared, and the connection lives on. */
  CANNOT_PREPARE(At.PREPARE),
  LOST_BEFORE_STATEMENT(At.STATEMENT),
  LOST_AFTER_STATEMENT(At.STATEMENT),
  /** The transaction stays open, without the statement. */
  STATEMENT_FAILS(At.STATEMENT),
  /** The transaction stays open, with the statement. */
  STATEMENT_UNANSWERED(At.STATEMENT),
  /** The driver throws what no driver should. */
  STATEMENT_BREAKS(At.STATEMENT),
  /** Undoes the statement only. */
  LOCK_TIMEOUT(At.STATEMENT),
  /** Undoes the transaction. */
  DEADLOCK(At.STATEMENT),
  SLOW_STATEMENT(At.STATEMENT),
  /** In the midst of the rows. */
  RESULT_FAILS(At.RESULT),
  LOST_IN_RESULT(At.RESULT),
  LOST_BEFORE_COMMIT(At.COMMIT),
  LOST_AFTER_COMMIT(At.COMMIT),
  /** The connection is lost, and the commit takes effect later. */
  LATE_COMMIT(At.COMMIT),
  COMMIT_REFUSED(At.COMMIT),
  /** The transaction stays open. */
  COMMIT_REFUSED_FOR_NOW(At.COMMIT),
  /** The database says that it does not know. */
  COMMITTED_UNSURE(At.COMMIT),
  NOT_COMMITTED_UNSURE(At.COMMIT),
  COMMITTED_AND_BREAKS(At.COMMIT),
  SLOW_COMMIT(At.COMMIT),
  LOST_AT_ROLLBACK(At.ROLLBACK),
  /** The transaction stays open. */
  ROLLBACK_FAILS(At.ROLLBACK),
  CLOSE_FAILS(At.CLOSE);

  /** Where a mishap happens. */
  enum At {
    CONNECT(0.01),
    PREPARE(0.02),
    STATEMENT(0.12),
    RESULT(0.02),
    COMMIT(0.4),
    ROLLBACK(0.2),
    CLOSE(0.2);

    final double share;

    At(double share) {
      this.share = share;
    }
  }

  final At at;

  Mishap(At at) {
    this.at = at;
  }
}
