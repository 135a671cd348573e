package dev.assay.web.http;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Bodies that must keep coming, and answers that must be taken. A client that sends or takes
 * nothing at all is cut off by the server's idle timeout; one that does so a byte at a time is cut
 * off here, since it has a thread to itself for as long.
 */
final class Pace {
  /** A client slower than this is not waited for. */
  private static final long BYTES_PER_SECOND = 4096;

  private static final int PART_BYTES = 1 << 16;

  private final Duration patience;
  private final long start = System.nanoTime();
  private long bytes;

  private Pace(Duration patience) {
    this.patience = patience;
  }

  static InputStream of(InputStream body, Duration patience) {
    return new Input(body, new Pace(patience));
  }

  static OutputStream of(OutputStream answer, Duration patience) {
    return new Output(answer, new Pace(patience));
  }

  private void passed(int count) throws IOException {
    bytes += Math.max(count, 0);
    Duration taken = Duration.ofNanos(System.nanoTime() - start);
    if (taken.compareTo(patience.plusSeconds(bytes / BYTES_PER_SECOND)) > 0) {
      throw new IOException("the client is too slow");
    }
  }

  private static final class Input extends FilterInputStream {
    private final Pace pace;

    Input(InputStream in, Pace pace) {
      super(in);
      this.pace = pace;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      int count = in.read(buffer, from, length);
      pace.passed(count);
      return count;
    }
  }

  private static final class Output extends FilterOutputStream {
    private final Pace pace;

    Output(OutputStream out, Pace pace) {
      super(out);
      this.pace = pace;
    }

    @Override
    public void write(byte[] buffer, int from, int length) throws IOException {
      for (int at = from; at < from + length; at += PART_BYTES) {
        int size = Math.min(PART_BYTES, from + length - at);
        out.write(buffer, at, size);
        pace.passed(size);
      }
    }
  }
}
