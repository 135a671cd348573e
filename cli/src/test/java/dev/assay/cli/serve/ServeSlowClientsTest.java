package dev.assay.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep a server waiting, tried on one that really runs. */
class ServeSlowClientsTest {
  @TempDir Path store;
  private Served served;
  private RawHttp client;
  private RunFolder run;

  @BeforeEach
  void start() throws IOException {
    run =
        RunStore.open(store)
            .create("h2", RunConfig.read(Map.of("source", "database", "database", "h2")));
    run.become(RunStatus.HEALTHY, null);
    served = Served.impatient(store);
    client = served.client();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  @Test
  void twoHundredSlowClientsKeepNobodyFromAnAnswer() throws Exception {
    String head = "Host: 127.0.0.1:" + client.port() + "\r\n";
    String own = head + client.cookie() + "Origin: http://127.0.0.1:" + client.port() + "\r\n";
    String body = "Content-Length: 1000000\r\n\r\nw(1,1";
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        slow.add(client.begin("G"));
        slow.add(client.begin("GET /runs HTTP/1.1\r\n" + head + "Accept: "));
        // One that would be refused, and one that may send a file.
        slow.add(client.begin("POST /uploads?name=x HTTP/1.1\r\n" + head + body));
        slow.add(client.begin("POST /uploads?name=x HTTP/1.1\r\n" + own + body));
      }
      assertThat(client.get("/runs").status()).isEqualTo(200);
      for (Socket one : slow) {
        RawHttp.rest(one);
      }
      assertThat(client.get("/runs").status()).isEqualTo(200);
    } finally {
      for (Socket one : slow) {
        one.close();
      }
    }
    assertThat(store.resolve(".uploads")).isEmptyDirectory();
  }

  /** More than the server has threads; the patience of this test would outlast it. */
  @Test
  void sixHundredHalfOpenConnectionsKeepNobodyFromAnAnswer() throws Exception {
    served.close();
    served = Served.at(store);
    client = served.client();
    for (String sent : List.of("", "G", "GET /runs HTTP/1.1\r\nAccept: ")) {
      List<Socket> open = new ArrayList<>();
      try {
        for (int i = 0; i < 600; i++) {
          open.add(client.begin(sent));
        }
        assertThat(answered(20)).as("'%s'", sent).isTrue();
      } finally {
        for (Socket one : open) {
          one.close();
        }
      }
    }
  }

  /** Whether one of some requests is answered, without waiting for it in between. */
  private boolean answered(int requests) throws InterruptedException {
    for (int i = 0; i < requests; i++) {
      try {
        if (client.get("/runs").status() == 200) {
          return true;
        }
      } catch (IOException e) {
        // It was not let in this time.
      }
      Thread.sleep(250);
    }
    return false;
  }

  @Test
  void whoDoesNotTakeAnAnswerIsNotWaitedFor() throws Exception {
    try (OutputStream large = Files.newOutputStream(run.file(RunFolder.HISTORY))) {
      for (int i = 0; i < 64; i++) {
        large.write(new byte[1 << 20]);
      }
    }
    String get = "GET /runs/" + run.id() + "/files/history.assay HTTP/1.1\r\n";
    try (Socket deaf =
        client.begin(
            get + "Host: 127.0.0.1:" + client.port() + "\r\n" + client.cookie() + "\r\n")) {
      assertThat(client.get("/runs").status()).isEqualTo(200);
      for (boolean writes : List.of(true, false)) {
        while (anyoneWrites() != writes) {
          Thread.sleep(50);
        }
      }
      assertThat(RawHttp.rest(deaf)).isLessThan(64 << 20);
    }
  }

  private static boolean anyoneWrites() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> entry.getKey().getName().startsWith("web"))
        .flatMap(entry -> Stream.of(entry.getValue()))
        .anyMatch(at -> at.getMethodName().equals("file"));
  }
}
