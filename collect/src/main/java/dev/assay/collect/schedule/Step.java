package dev.assay.collect.schedule;

import java.util.List;

/**
 * One line of a schedule.
 *
 * @param session the session that does it, such as {@code T1}
 * @param action what is done
 * @param arguments its numbers
 * @param variable where the result goes, or null
 */
record Step(String session, Action action, List<Long> arguments, String variable) {
  /** What a session can do. */
  enum Action {
    READ(1, true),
    WRITE(2, false),
    INSERT(2, false),
    /** The keys whose values are between two numbers, both included. */
    BETWEEN(2, true),
    LIST(1, true),
    APPEND(2, false),
    COMMIT(0, false),
    ABORT(0, false),
    /** Rolls back what is open, and goes on with another transaction on the same connection. */
    AGAIN(0, false);

    final int arguments;
    final boolean hasResult;

    Action(int arguments, boolean hasResult) {
      this.arguments = arguments;
      this.hasResult = hasResult;
    }

    boolean endsTransaction() {
      return this == COMMIT || this == ABORT || this == AGAIN;
    }
  }
}
