package dev.assay.explain;

import dev.assay.level.AnomalyType;

/** What is wrong with a single read, in a sentence, and the same from everyday life. */
final class ReadConclusions {
  private ReadConclusions() {}

  static String conclusion(AnomalyType type) {
    return switch (type) {
      case THIN_AIR_READ ->
          "No recorded transaction wrote it. Does the recording lack a client? Then --incomplete.";
      case ABORTED_READ -> "It read what was rolled back.";
      case FUTURE_READ -> "A transaction cannot see what it has not written yet.";
      case NOT_MY_OWN_WRITE -> "It did not see its own write.";
      case NOT_MY_LAST_WRITE -> "It saw an old write of its own instead of the newest.";
      case INTERMEDIATE_READ -> "It saw a state that was never committed.";
      case NON_REPEATABLE_READ -> "The value changed in the middle of a transaction.";
      case DIRTY_UPDATE -> "What was rolled back became part of a committed version.";
      case DUPLICATE_WRITE -> "One write took effect twice.";
      case INCOMPATIBLE_ORDER -> "No order of the writes explains both.";
      case LOST_WRITE -> "The database acknowledged a write and lost it.";
      case NON_LINEARIZABLE -> "The key did not behave like one that is changed at one moment.";
      case CERTIFICATE_CONTRADICTION -> "The given order is not the one the database used.";
      case RESULT_SET_MISMATCH -> "The query returned the wrong rows.";
      case LOST_UPDATE -> "One of the two changes is lost.";
      case WRONG_TOTAL -> "It saw part of a transaction, or the result of a lost update.";
      default -> "";
    };
  }

  static String likeness(AnomalyType type) {
    return switch (type) {
      case ABORTED_READ, DIRTY_UPDATE -> "Like spending a deposit that bounced.";
      case INTERMEDIATE_READ -> "Like reading a draft as if it had been sent.";
      case LOST_WRITE -> "Like a receipt for a payment that the bank cannot find.";
      case LOST_UPDATE ->
          "Like two deposits that start from the same balance: one of them is gone.";
      case WRONG_TOTAL -> "Like counting the money while a transfer is on its way.";
      default -> "";
    };
  }
}
