package dev.assay.web.http;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that answer. Each has one connection at a time, and waits for the client while a
 * request comes in and while an answer goes out. A client that takes its time, or sends nothing
 * more, would keep the thread; so every such wait has an end, at which the thread is interrupted,
 * and that closes the connection. Where many wait for the head of a request, which browsers send at
 * once, that end comes much sooner, so that half-open connections cannot take all threads.
 */
final class Workers implements Executor, AutoCloseable {
  /** One for each connection that the server takes, so that no client waits for a slow one. */
  static final int MOST = 512;

  /** With more threads at work than this, heads of requests are not waited for as long. */
  private static final int MANY = MOST / 4;

  private static final Duration SHORT_PATIENCE = Duration.ofMillis(500);

  /** A body that comes more slowly than this is not waited for. */
  private static final long BYTES_PER_SECOND = 4096;

  private static final int PART_BYTES = 1 << 16;
  private static final long TICK_MILLIS = 250;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0, MOST, 20, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> daemon(work, "web"));
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "web clock"));
  private final Set<Turn> turns = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<Turn> own = new ThreadLocal<>();

  /** How long the head of a request may take, or a part of an answer, or a body to begin. */
  private final Duration patience;

  Workers(Duration patience) {
    this.patience = patience;
    clock.scheduleWithFixedDelay(this::endLate, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void endLate() {
    long now = System.nanoTime();
    boolean many = turns.size() > MANY;
    turns.forEach(turn -> turn.endIfLate(now, many));
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable exchange) {
    threads.execute(
        () -> {
          Turn turn = new Turn(patience);
          own.set(turn);
          turns.add(turn);
          turn.waitFor(patience);
          try {
            exchange.run();
          } finally {
            turns.remove(turn);
            turn.goOn();
          }
        });
  }

  /** The turn of this thread. */
  Turn turn() {
    return own.get();
  }

  /** What a thread does for one request, from the first byte on. */
  static final class Turn {
    private final Thread thread = Thread.currentThread();
    private final Duration patience;
    private final long begun = System.nanoTime();
    private boolean waits;

    /** Whether the head of the request is still to come. */
    private boolean isHead = true;

    private long end;

    private Turn(Duration patience) {
      this.patience = patience;
    }

    /** The client must do its part in this time. */
    synchronized void waitFor(Duration most) {
      waits = true;
      end = System.nanoTime() + most.toNanos();
    }

    /** The work is ours again, for as long as it takes. */
    synchronized void goOn() {
      waits = false;
      isHead = false;
      // An interruption that came just too late must not meet what follows.
      Thread.interrupted();
    }

    private synchronized void endIfLate(long now, boolean many) {
      boolean late = now - end > 0 || (many && isHead && now - begun > SHORT_PATIENCE.toNanos());
      if (waits && late) {
        thread.interrupt();
      }
    }

    /** A body that must keep coming. */
    InputStream paced(InputStream body) {
      return new PacedInput(body, this);
    }

    /** An answer that must be taken. */
    OutputStream paced(OutputStream answer) {
      return new PacedOutput(answer, this);
    }

    /** Does something that may wait for the client. */
    void part(Part part) throws IOException {
      waitFor(patience);
      try {
        part.run();
      } finally {
        goOn();
      }
    }
  }

  /** Something that may wait for the client. */
  interface Part {
    void run() throws IOException;
  }

  private static final class PacedInput extends FilterInputStream {
    private final Turn turn;
    private final long start = System.nanoTime();
    private long received;

    PacedInput(InputStream in, Turn turn) {
      super(in);
      this.turn = turn;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      Duration taken = Duration.ofNanos(System.nanoTime() - start);
      Duration allowed = turn.patience.plusSeconds(received / BYTES_PER_SECOND);
      turn.waitFor(allowed.minus(taken));
      try {
        int n = in.read(bytes, from, length);
        received += Math.max(n, 0);
        return n;
      } finally {
        turn.goOn();
      }
    }

    @Override
    public void close() throws IOException {
      // What is left of the body may be read first.
      turn.part(in::close);
    }
  }

  private static final class PacedOutput extends FilterOutputStream {
    private final Turn turn;

    PacedOutput(OutputStream out, Turn turn) {
      super(out);
      this.turn = turn;
    }

    @Override
    public void write(int b) throws IOException {
      turn.part(() -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      for (int at = from; at < from + length; at += PART_BYTES) {
        int begin = at;
        int size = Math.min(PART_BYTES, from + length - at);
        turn.part(() -> out.write(bytes, begin, size));
      }
    }

    @Override
    public void flush() throws IOException {
      turn.part(out::flush);
    }

    @Override
    public void close() throws IOException {
      turn.part(out::close);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdownNow();
    try {
      threads.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
