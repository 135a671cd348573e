package dev.assay.cli.process;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Remembers that results could not be written, which a {@link java.io.PrintStream} would swallow. A
 * reader that has seen enough and closed the pipe is not a failure.
 */
public final class StandardOutput extends FilterOutputStream {
  private String failure;

  public StandardOutput(OutputStream out) {
    super(out);
  }

  /** What went wrong, or null. */
  public String failure() {
    return failure;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (!"Broken pipe".equals(e.getMessage())) {
        failure = e.getMessage();
      }
      throw e;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }
}
