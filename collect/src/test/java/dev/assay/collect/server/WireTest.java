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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A wire to a server that sends back what it gets, at a socket in a file. */
@Timeout(60)
class WireTest {
  private static final int CALLER = 7;

  @TempDir Path folder;
  private ServerSocketChannel server;
  private Wire wire;

  @BeforeEach
  void start() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
    Thread echo = new Thread(this::echo);
    echo.setDaemon(true);
    echo.start();
    wire = new Wire(address, caller -> CALLER);
  }

  @AfterEach
  void stop() throws IOException {
    wire.close();
    server.close();
  }

  private void echo() {
    try {
      while (true) {
        try (SocketChannel client = server.accept()) {
          ByteBuffer bytes = ByteBuffer.allocate(1);
          while (client.read(bytes) > 0) {
            client.write(bytes.flip());
            bytes.clear();
          }
        }
      }
    } catch (IOException e) {
      // The test is over.
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

  /** What gets through a lossy wire is right and in order; a connection may end. */
  @Test
  void aLossyWireLosesConnectionsButNoBytesOfThem() throws Exception {
    wire.lossy(true);
    for (int connection = 0; connection < 3; connection++) {
      try (Socket socket = connect()) {
        for (int i = 0; i < 20; i++) {
          socket.getOutputStream().write(i);
          int answer = read(socket);
          if (answer < 0) {
            break;
          }
          assertThat(answer).isEqualTo(i);
        }
      } catch (IOException e) {
        // The connection is lost.
      }
    }
  }
}
