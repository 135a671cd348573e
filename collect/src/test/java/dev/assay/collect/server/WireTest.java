package dev.assay.collect.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wire to a server that sends back what it gets, at a socket in a file. */
@Timeout(60)
class WireTest {
  private static final int CALLER = 7;
  private static final int CALLERS = 20;

  @TempDir Path folder;
  private ServerSocketChannel server;
  private Wire wire;

  @BeforeEach
  void start() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
    daemon(this::accept);
    wire = new Wire(address, caller -> CALLER);
  }

  @AfterEach
  void stop() throws IOException {
    wire.close();
    server.close();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel client = server.accept();
        daemon(() -> echo(client));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void echo(SocketChannel client) {
    try (client) {
      ByteBuffer bytes = ByteBuffer.allocate(1);
      while (client.read(bytes) > 0) {
        client.write(bytes.flip());
        bytes.clear();
      }
    } catch (IOException e) {
      // The connection is lost.
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), wire.port());
  }

  private static int read(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void whatIsSentWhileItIsCutArrivesWhenItIsMended() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(1);
      assertThat(read(socket)).isEqualTo(1);
      wire.cutTo(CALLER);
      socket.getOutputStream().write(2);
      CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> read(socket));
      Thread.sleep(100);
      assertThat(answer).isNotDone();
      wire.mend();
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  @Test
  void othersAreNotCutOff() throws Exception {
    wire.cutFrom(CALLER + 1);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(3);
      assertThat(read(socket)).isEqualTo(3);
    }
  }

  /** One connection in 250 bytes that come back is lost, so that one of many soon is. */
  @Test
  void aLossyWireLosesConnectionsButNoBytesOfThem() throws Exception {
    wire.lossy(true);
    AtomicBoolean lost = new AtomicBoolean();
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      for (int i = 0; i < CALLERS; i++) {
        callers.add(CompletableFuture.runAsync(() -> talkUntil(lost), threads));
      }
      for (CompletableFuture<Void> caller : callers) {
        caller.get(50, TimeUnit.SECONDS);
      }
    } finally {
      lost.set(true);
      threads.shutdown();
    }
    wire.lossy(false);
    try (Socket socket = connect()) {
      assertThat(bytesInOrder(socket, 5_000, new AtomicBoolean())).isEqualTo(5_000);
    }
  }

  /** Sends and gets back bytes until a connection is lost, of this caller or of another. */
  private void talkUntil(AtomicBoolean lost) {
    try (Socket socket = connect()) {
      if (bytesInOrder(socket, Integer.MAX_VALUE, lost) < Integer.MAX_VALUE) {
        lost.set(true);
      }
    } catch (IOException e) {
      lost.set(true);
    }
  }

  /** How many bytes came back before the connection was lost; each is the one that was sent. */
  private static int bytesInOrder(Socket socket, int limit, AtomicBoolean stop) throws IOException {
    int count = 0;
    for (; count < limit && !stop.get(); count++) {
      socket.getOutputStream().write(count);
      int answer = read(socket);
      if (answer < 0) {
        break;
      }
      assertThat(answer).isEqualTo(count & 0xff);
    }
    return count;
  }
}
