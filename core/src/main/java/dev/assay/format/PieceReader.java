package dev.assay.format;

import dev.assay.history.History;

/**
 * Reads a history piece by piece, front to back, while it is written or because it is too large to
 * be read as a whole. All pieces together have the transactions that {@link HistoryFormat#read}
 * finds in the whole, with the same ids, sessions, times and places.
 *
 * <p>A transaction is in the piece in which it ended; one without an id has as its id the name that
 * it has in the whole history. Each piece declares the initial values of the keys that it has.
 */
public interface PieceReader {
  /**
   * How many of these bytes, which follow those that were read, can be read now; 0 if more must
   * come first.
   */
  int whole(byte[] bytes, int from, int to);

  /** Reads a piece, as long as {@link #whole} says, and returns the transactions that ended. */
  History read(byte[] bytes, int from, int to) throws ParseException;

  /** Reads what is left at the end of the input, and returns the transactions that never ended. */
  History finish(byte[] bytes, int from, int to) throws ParseException;

  /** What follows is another file, which continues the history. */
  void nextFile();

  /** Whether times are the order of the events in the input, so that no transaction can be late. */
  default boolean isInOrder() {
    return false;
  }

  /** Whole lines of a text: up to and with the last line end. */
  static int wholeLines(byte[] bytes, int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (bytes[i] == '\n') {
        return i + 1 - from;
      }
    }
    return 0;
  }
}
