package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.server.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
  /** How the children of the restless server are known among all processes. */
  private static final String CHILD = "7.0421";

  @TempDir Path folder;

  /** As PostgreSQL's workers do. */
  @Test
  void pausingAServerWhoseChildrenComeAndGoDoesNotFail() throws Exception {
    try (Restless server = new Restless("while :; do sleep 0.001; done")) {
      for (int i = 0; i < 40; i++) {
        server.process.pause();
        server.process.resume();
      }
      assertThat(server.program().isAlive()).isTrue();
    }
  }

  /** A child that outlives a killed server keeps the next one from starting. */
  @Test
  void noChildOutlivesAKilledServer() throws Exception {
    try (Restless server = new Restless("while :; do sleep " + CHILD + " & done")) {
      for (int i = 0; i < 10; i++) {
        server.process.kill();
        server.process.startAgain();
      }
    }
    assertThat(ProcessHandle.allProcesses().filter(ServerProcessTest::isChild)).isEmpty();
  }

  private static boolean isChild(ProcessHandle process) {
    Optional<String[]> arguments = process.info().arguments();
    return arguments.isPresent() && List.of(arguments.get()).contains(CHILD);
  }

  /** A shell script in the part of a server; the test listens in its place. */
  private final class Restless implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    private final ServerProcess process;

    Restless(String script) throws IOException {
      process =
          new ServerProcess(
              "a script",
              List.of("sh", "-c", "trap '' TERM; " + script),
              folder.resolve("log"),
              socket.getLocalPort());
      process.start();
    }

    private ProcessHandle program() {
      return ProcessHandle.current()
          .children()
          .filter(child -> child.info().commandLine().orElse("").contains("trap"))
          .findFirst()
          .orElseThrow();
    }

    @Override
    public void close() throws IOException {
      process.stop();
      socket.close();
    }
  }
}
