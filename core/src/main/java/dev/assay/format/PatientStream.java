package dev.assay.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A pipe or standard input, whose reads, and even whose opening, may take forever: a thread of its
 * own waits there, so that the reader can give up meanwhile. That thread cannot be ended while it
 * waits; it does not keep the program from ending.
 */
final class PatientStream extends InputStream {
  private static final int CHUNK = 1 << 16;

  /** Maximum number of bytes read ahead, in chunks. */
  private static final int AHEAD = 16;

  private static final long LOOK_UP_MILLIS = 20;
  private static final byte[] END = {};

  /** Opens what is to be read. */
  interface Source {
    InputStream open() throws IOException;
  }

  private final Source source;

  /** Called while waiting; throws to give up. */
  private final Runnable waiting;

  private final BlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>(AHEAD);
  private volatile Throwable failure;
  private volatile boolean closed;
  private boolean started;
  private byte[] chunk = {};
  private int next;

  PatientStream(Source source, Runnable waiting) {
    this.source = source;
    this.waiting = waiting;
  }

  @Override
  public int read() throws IOException {
    return fetch() ? chunk[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fetch()) {
      return -1;
    }
    int n = Math.min(length, chunk.length - next);
    System.arraycopy(chunk, next, buffer, offset, n);
    next += n;
    return n;
  }

  @Override
  public int available() {
    return chunk.length - next;
  }

  @Override
  public void close() {
    closed = true;
    chunks.clear();
  }

  /** Waits until there is something to read; false at the end. */
  private boolean fetch() throws IOException {
    if (!started) {
      started = true;
      Thread reader = new Thread(this::readAhead, "reader");
      reader.setDaemon(true);
      reader.start();
    }
    while (next == chunk.length && chunk != END) {
      waiting.run();
      byte[] got = poll();
      if (got != null) {
        chunk = got;
        next = 0;
      }
    }
    if (chunk == END && failure != null) {
      rethrow(failure);
    }
    return chunk != END;
  }

  /** An exception in the thread that reads is thrown as if it had happened in the one that asks. */
  private static void rethrow(Throwable failure) throws IOException {
    if (failure instanceof IOException unreadable) {
      throw unreadable;
    }
    if (failure instanceof Error serious) {
      throw serious;
    }
    throw (RuntimeException) failure;
  }

  private byte[] poll() throws IOException {
    try {
      return chunks.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
  }

  private void readAhead() {
    try {
      try (InputStream in = source.open()) {
        byte[] buffer = new byte[CHUNK];
        for (int n; !closed && (n = in.read(buffer)) >= 0; ) {
          if (n > 0) {
            put(Arrays.copyOf(buffer, n));
          }
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
      put(END);
    } catch (InterruptedException e) {
      // No reader waits for more.
      Thread.currentThread().interrupt();
    }
  }

  private void put(byte[] bytes) throws InterruptedException {
    while (!closed && !chunks.offer(bytes, LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)) {
      // The reader is behind.
    }
  }
}
