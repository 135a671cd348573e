package dev.assay.web.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Browsers that follow a part of a page: each is sent the part anew when it has changed
 * (server-sent events). None of them has a thread; one that does not take what it is sent is not
 * sent more, and is cut off by the idle timeout.
 */
final class Followers implements AutoCloseable {
  /** Maximum number of connections; a browser needs one for each page in view. */
  private static final int MOST = 256;

  private static final long TICK_MILLIS = 400;

  /**
   * A part of a page.
   *
   * @param isFinal whether it will not change any more
   * @param html the part as it is now
   */
  record Part(BooleanSupplier isFinal, Supplier<String> html) {}

  private final class Follower implements Callback {
    private final Response response;
    private final Callback end;
    private final Part part;
    private String last = "";
    private long said = System.nanoTime();
    private boolean writing;
    private boolean over;

    Follower(Response response, Callback end, Part part) {
      this.response = response;
      this.end = end;
      this.part = part;
    }

    private synchronized void tick() {
      if (writing || over) {
        return;
      }
      // What is final is looked at first: the last change must not be missed.
      over = part.isFinal().getAsBoolean();
      String now = part.html().get();
      if (over || !now.equals(last)) {
        last = now;
        send((over ? "event: end\n" : "") + "data: " + now.replace("\n", "\ndata: ") + "\n\n");
      } else if (System.nanoTime() - said > silence.toNanos()) {
        send(": still there\n\n");
      }
    }

    private void send(String text) {
      writing = true;
      said = System.nanoTime();
      response.write(over, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), this);
    }

    @Override
    public void succeeded() {
      synchronized (this) {
        writing = false;
        if (!over) {
          return;
        }
      }
      followers.remove(this);
      end.succeeded();
    }

    @Override
    public void failed(Throwable why) {
      // The browser went away.
      followers.remove(this);
      end.failed(why);
    }
  }

  private final Duration silence;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "web followers");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param patience how long a connection may be idle before the server closes it
   */
  Followers(Duration patience) {
    this.silence = patience.dividedBy(3);
    clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  boolean isFull() {
    return followers.size() >= MOST;
  }

  void add(Response response, Callback end, Part part) {
    followers.add(new Follower(response, end, part));
  }

  private void tick() {
    for (Follower follower : followers) {
      try {
        follower.tick();
      } catch (RuntimeException e) {
        // What it follows may be being deleted.
        follower.failed(e);
      }
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
