package dev.assay.cli.serve;

import static org.assertj.core.api.Assertions.fail;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import dev.assay.web.http.WebServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server that really runs, with a logged-in user. */
final class Served implements AutoCloseable {
  static final long MAX_UPLOAD = 8 << 20;
  private static final long PATIENCE_MILLIS = 180_000;

  private final WebServer server;
  private final Path store;
  private final RawHttp client;

  private Served(WebServer server, Path store) throws IOException {
    this.server = server;
    this.store = store;
    this.client = RawHttp.loggedIn(server.loginAddress());
  }

  static Served at(Path store) throws IOException {
    return at(store, null, List.of());
  }

  static Served at(Path store, Path plugins, List<String> names) throws IOException {
    return at(store, plugins, names, WebServer.Settings.PATIENCE);
  }

  /** One that does not wait for clients as long as others do. */
  static Served impatient(Path store) throws IOException {
    return at(store, null, List.of(), Duration.ofSeconds(4));
  }

  private static Served at(Path store, Path plugins, List<String> names, Duration patience)
      throws IOException {
    WebServer.Settings settings =
        new WebServer.Settings(
            "127.0.0.1", 0, store, plugins, MAX_UPLOAD, 1, patience, "dev.assay.cli.Main");
    return new Served(WebServer.start(settings, names, text -> {}), store);
  }

  WebServer server() {
    return server;
  }

  RawHttp client() {
    return client;
  }

  /** The runs as they are on disk. */
  List<RunFolder> runs() throws IOException {
    return RunStore.open(store).all();
  }

  RunFolder run(String id) throws IOException {
    return RunStore.open(store).find(id).orElseThrow();
  }

  /** Waits until a run is over, and gives it. */
  RunFolder await(String id) throws Exception {
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (System.currentTimeMillis() < deadline) {
      RunFolder run = run(id);
      if (run.status().isOver()) {
        return run;
      }
      Thread.sleep(100);
    }
    return fail("run " + id + " is still " + run(id).state());
  }

  void await(String id, RunStatus status) throws Exception {
    long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (run(id).status() != status) {
      if (System.currentTimeMillis() > deadline) {
        fail("run " + id + " is " + run(id).state() + " and not " + status);
      }
      Thread.sleep(50);
    }
  }

  /** Asks for one run; its id. */
  String submit(String... fields) throws IOException {
    RawHttp.Answer answer = client.post("/runs", fields);
    if (answer.status() != 303) {
      fail("refused: " + answer.status() + " " + answer.body());
    }
    return answer.header("Location").replaceAll(".*/", "");
  }

  /** Sends a history; the id it can be asked about with. */
  String upload(String name, byte[] content) throws IOException {
    String body = client.upload(name, content).body();
    return body.replaceAll("(?s).*\"upload\" : \"([^\"]*)\".*", "$1");
  }

  @Override
  public void close() {
    server.close();
  }
}
