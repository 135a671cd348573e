package dev.assay.format.follow;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A stream whose reads may take forever, such as standard input: a thread of its own waits there.
 * It cannot be ended while it waits, and keeps no program from ending.
 */
public final class StreamBytes implements ByteSource {
  private static final int CHUNK = 1 << 16;
  private static final int CHUNKS_AHEAD = 16;
  private static final long LOOK_UP_MILLIS = 50;
  private static final byte[] LAST = {};

  private final InputStream in;
  private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
  private volatile IOException failure;
  private volatile boolean closed;
  private byte[] chunk = {};
  private int next;

  public StreamBytes(InputStream in) {
    this.in = in;
    Thread reader = new Thread(this::readAhead, "reader");
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (next == chunk.length && chunk != LAST) {
      byte[] got = chunks.poll();
      if (got == null) {
        return 0;
      }
      chunk = got;
      next = 0;
    }
    if (chunk == LAST) {
      if (failure != null) {
        throw failure;
      }
      return END;
    }
    int n = Math.min(length, chunk.length - next);
    System.arraycopy(chunk, next, bytes, from, n);
    next += n;
    return n;
  }

  private void readAhead() {
    try {
      try {
        byte[] buffer = new byte[CHUNK];
        for (int n; !closed && (n = in.read(buffer)) >= 0; ) {
          if (n > 0) {
            put(Arrays.copyOf(buffer, n));
          }
        }
      } catch (IOException e) {
        failure = e;
      }
      put(LAST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(byte[] bytes) throws InterruptedException {
    while (!closed && !chunks.offer(bytes, LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)) {
      // The readers are behind.
    }
  }

  @Override
  public void close() {
    closed = true;
    chunks.clear();
  }
}
