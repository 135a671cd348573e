package dev.assay.collect.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The lines that a program writes, none of them longer than memory bears. */
final class Lines implements AutoCloseable {
  private static final int MAX_LINE = 1 << 24;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 14];
  private int from;
  private int to;

  Lines(InputStream in) {
    this.in = in;
  }

  /**
   * The next line; null after the last one. What follows the last line break was cut off when its
   * writer died, and is no line.
   *
   * @throws IOException if it is too long
   */
  String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      if (from == to && !fill()) {
        return null;
      }
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      line.write(buffer, from, end - from);
      if (line.size() > MAX_LINE) {
        throw new IOException("the client wrote a line of more than %,d bytes".formatted(MAX_LINE));
      }
      boolean whole = end < to;
      from = whole ? end + 1 : end;
      if (whole) {
        return line.toString(StandardCharsets.UTF_8);
      }
    }
  }

  /** A pipe that is closed from this side is at its end. */
  private boolean fill() {
    from = 0;
    try {
      to = Math.max(0, in.read(buffer));
    } catch (IOException e) {
      to = 0;
    }
    return to > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
