package dev.assay.collect.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * A port on loopback that leads to a server. It can be cut, which keeps connections open and
 * silent, as a network does that drops packets; what was sent meanwhile arrives when it is mended.
 */
public final class Wire implements AutoCloseable {
  private static final int CHUNK = 1 << 16;
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int port;
  private volatile long delayMillis;

  private final ToIntFunction<Socket> callers;

  /** Guarded by this. */
  private boolean cut;

  /** The callers that do not get through, and those that get no answer. Guarded by this. */
  private final Set<Integer> unheard = new HashSet<>();

  private final Set<Integer> unanswered = new HashSet<>();

  private volatile boolean closed;

  public Wire(int port) throws IOException {
    this(port, caller -> -1);
  }

  /**
   * @param callers says which node made a connection, so that it can be cut off alone
   */
  public Wire(int port, ToIntFunction<Socket> callers) throws IOException {
    this.port = port;
    this.callers = callers;
    listener = new ServerSocket(0, 200, LOOPBACK);
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where it begins. */
  public int port() {
    return listener.getLocalPort();
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

  /** Leads to another server from now on; what is open ends. */
  public void leadTo(int newPort) {
    port = newPort;
    open.forEach(Wire::end);
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = listener.accept();
        start(() -> connect(client));
      } catch (IOException e) {
        // The wire is closed, or no one is waiting.
      }
    }
  }

  private void connect(Socket client) {
    open.add(client);
    int caller = callers.applyAsInt(client);
    try {
      pass(caller, true);
      Socket server = new Socket(LOOPBACK, port);
      open.add(server);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      start(() -> carry(client, server, caller, true));
      carry(server, client, caller, false);
    } catch (IOException | InterruptedException e) {
      end(client);
      open.remove(client);
    }
  }

  private void carry(Socket from, Socket to, int caller, boolean forth) {
    byte[] chunk = new byte[CHUNK];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        pass(caller, forth);
        out.write(chunk, 0, read);
        out.flush();
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
  private void pass(int caller, boolean forth) throws InterruptedException {
    if (delayMillis > 0) {
      Thread.sleep(delayMillis);
    }
    synchronized (this) {
      Set<Integer> silent = forth ? unheard : unanswered;
      while ((cut || silent.contains(caller)) && !closed) {
        wait();
      }
    }
  }

  private static void end(Socket socket) {
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
