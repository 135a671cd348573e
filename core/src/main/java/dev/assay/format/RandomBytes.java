package dev.assay.format;

import java.io.Closeable;
import java.io.IOException;

/**
 * Bytes that can be read from anywhere, for formats whose files do not begin at their beginning.
 */
public interface RandomBytes extends Closeable {
  /** The number of bytes. */
  long size() throws IOException;

  /** Some of them, all of which must be there. */
  byte[] read(long offset, int length) throws IOException;
}
