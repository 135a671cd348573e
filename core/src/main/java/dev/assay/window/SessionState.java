package dev.assay.window;

/** What is known of a session whose transactions are accepted in session order. */
final class SessionState {
  final Object name;

  /** The number of transactions accepted. */
  long accepted;

  /** The place of the last one in the candidate order. */
  long time = Long.MIN_VALUE;

  SessionState(Object name) {
    this.name = name;
  }
}
