package dev.assay.format.follow;

import dev.assay.format.ParseException;
import java.io.Closeable;
import java.io.IOException;

/** Bytes that arrive in parts; asking for them never waits. */
public interface ByteSource extends Closeable {
  /** There are no more, and there will be none. */
  int END = -1;

  /** Another file follows, which continues the one so far. */
  int NEXT_FILE = -2;

  /**
   * Reads what is there.
   *
   * @return the number of bytes; 0 if there are none at the moment, {@link #END} or {@link
   *     #NEXT_FILE}
   */
  int read(byte[] bytes, int from, int length) throws IOException, ParseException;
}
