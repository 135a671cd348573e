package dev.assay.collect.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;

/**
 * A port on loopback that leads to a server. It can be cut, which keeps connections open and
 * silent, as a network does that drops packets; what was sent meanwhile arrives when it is mended.
 *
 * <p>A lossy wire does what a program sees of a network that loses packets: TCP sends them again,
 * so that some data is late by the time that takes, and a connection ends now and then.
 */
public final class Wire implements AutoCloseable {
  private static final int CHUNK = 1 << 16;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** How long Linux waits before it sends a lost packet again, at least. */
  private static final long RESENT_AFTER_MILLIS = 200;

  /** One in this many pieces of data is late, and one in this many ends its connection. */
  private static final int LATE_ONE_IN = 10;

  private static final int BREAKS_ONE_IN = 500;

  private final ServerSocketChannel listener;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final ToIntFunction<Socket> callers;
  private volatile SocketAddress server;
  private volatile long delayMillis;
  private volatile boolean lossy;

  /** Guarded by this. */
  private boolean cut;

  /** The callers that do not get through, and those that get no answer. Guarded by this. */
  private final Set<Integer> unheard = new HashSet<>();

  private final Set<Integer> unanswered = new HashSet<>();

  private volatile boolean closed;

  public Wire(int port) throws IOException {
    this(loopback(port), caller -> -1);
  }

  /**
   * @param server a port of loopback, or a socket in a file
   * @param callers says which node made a connection, so that it can be cut off alone
   */
  public Wire(SocketAddress server, ToIntFunction<Socket> callers) throws IOException {
    this.server = server;
    this.callers = callers;
    listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
    listener.bind(new InetSocketAddress(LOOPBACK, 0), 200);
    start(this::accept);
  }

  /** The address of a port of loopback. */
  public static SocketAddress loopback(int port) {
    return new InetSocketAddress(LOOPBACK, port);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where it begins. */
  public int port() {
    return listener.socket().getLocalPort();
  }

  public synchronized void cut() {
    cut = true;
  }

  public synchronized void mend() {
    cut = false;
    unheard.clear();
    unanswered.clear();
    notifyAll();
  }

  /** What a caller sends does not arrive until this is mended. */
  public synchronized void cutFrom(int caller) {
    unheard.add(caller);
  }

  /** What is sent to a caller does not arrive until this is mended. */
  public synchronized void cutTo(int caller) {
    unanswered.add(caller);
  }

  /** Everything arrives this much later, in both directions. */
  public void delay(long millis) {
    delayMillis = millis;
  }

  /** Data is late at random, and connections end at random. */
  public void lossy(boolean on) {
    lossy = on;
  }

  /** Leads to another server from now on; what is open ends. */
  public void leadTo(SocketAddress newServer) {
    server = newServer;
    open.forEach(Wire::end);
  }

  private void accept() {
    while (!closed) {
      try {
        SocketChannel client = listener.accept();
        start(() -> connect(client));
      } catch (IOException e) {
        // The wire is closed, or no one is waiting.
      }
    }
  }

  private void connect(SocketChannel client) {
    open.add(client);
    int caller = callers.applyAsInt(client.socket());
    try {
      pass(caller, true);
      SocketChannel to = SocketChannel.open(server);
      open.add(to);
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (to.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
        to.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      start(() -> carry(client, to, caller, true));
      carry(to, client, caller, false);
    } catch (IOException | InterruptedException e) {
      end(client);
      open.remove(client);
    }
  }

  private void carry(SocketChannel from, SocketChannel to, int caller, boolean forth) {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
    try {
      while (from.read(chunk) >= 0) {
        pass(caller, forth);
        chunk.flip();
        while (chunk.hasRemaining()) {
          to.write(chunk);
        }
        chunk.clear();
      }
    } catch (IOException | InterruptedException e) {
      // One end is gone, and so the other has to go.
    } finally {
      end(from);
      end(to);
      open.remove(from);
      open.remove(to);
    }
  }

  /** Waits for as long as the wire is cut or slow. */
  private void pass(int caller, boolean forth) throws InterruptedException, IOException {
    if (delayMillis > 0) {
      Thread.sleep(delayMillis);
    }
    if (lossy) {
      lose();
    }
    synchronized (this) {
      Set<Integer> silent = forth ? unheard : unanswered;
      while ((cut || silent.contains(caller)) && !closed) {
        wait();
      }
    }
  }

  private static void lose() throws InterruptedException, IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (random.nextInt(BREAKS_ONE_IN) == 0) {
      throw new IOException("the connection is lost");
    }
    if (random.nextInt(LATE_ONE_IN) == 0) {
      Thread.sleep(RESENT_AFTER_MILLIS);
    }
  }

  private static void end(SocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no more use, whether or not it closes.
    }
  }

  @Override
  public void close() {
    closed = true;
    mend();
    try {
      listener.close();
    } catch (IOException e) {
      // It ends with the process at the latest.
    }
    open.forEach(Wire::end);
  }
}
