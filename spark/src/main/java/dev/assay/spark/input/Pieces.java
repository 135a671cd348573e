package dev.assay.spark.input;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.Closeable;
import java.io.IOException;

/** Reads the transactions of a split, some at a time. */
interface Pieces extends Closeable {
  /** The next ones, perhaps none; null at the end. */
  History next() throws IOException, ParseException;

  /** The number of lines so far; the reader of a later split has read the first one, too. */
  default long lines() {
    return 0;
  }

  /** Whether something in it is for a reader of the whole file only. */
  default boolean isOdd() {
    return false;
  }
}
