package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients on the page docs/clients.md, as a reader would try them. */
class ClientsTest {
  @TempDir Path folder;

  private static void require(String program) {
    try {
      new ProcessBuilder(program, "--version")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      Assumptions.abort(program + " is not installed");
    }
  }

  /** The text of the page's block in a language. */
  private static String block(String language) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "clients.md"));
    int from = page.indexOf("```" + language + "\n") + language.length() + 4;
    return page.substring(from, page.indexOf("```", from));
  }

  private Ran run(String... options) {
    return run(80, options);
  }

  private Ran run(int transactions, String... options) {
    List<String> all = new ArrayList<>(List.of("run"));
    all.addAll(
        List.of("--out", folder.resolve("h.assay").toString(), "--force", "--duration", "20s"));
    all.addAll(List.of("--sessions", "6", "--transactions", "" + transactions, "--keys", "4"));
    all.addAll(List.of(options));
    return Ran.of(all.toArray(String[]::new));
  }

  @Test
  void theClientInPythonFindsWhatItsStoreClaims() throws Exception {
    require("python3");
    Path toy = Files.writeString(folder.resolve("toy.py"), block("python"));
    String command = "python3 " + toy;
    assertThat(block("python").lines().count()).isLessThan(55);

    Ran snapshot = run("--client", command, "--isolation", "snapshot");
    assertThat(snapshot.err()).doesNotContain("error");
    assertThat(snapshot.out()).startsWith("Toy store");
    assertThat(snapshot.code()).isZero();
    Ran skew = run("--client", command, "--isolation", "snapshot", "--expect", "serializable");
    assertThat(skew.code()).isEqualTo(1);
    assertThat(skew.out()).contains("G2-item", "strong-snapshot-isolation");
    Ran serializable = run("--client", command);
    assertThat(serializable.out()).contains(" promised serializable and gave it");
    assertThat(serializable.code()).isZero();

    Files.writeString(
        folder.resolve("toy.json"), "{\"client\": [\"python3\", \"{folder}/toy.py\"]}");
    Ran named = run("toy", "--plugins", folder.toString(), "--workload", "register");
    assertThat(named.code()).isZero();
    assertThat(run("--client", command, "--workload", "counter").err())
        .contains("counter uses data types that Toy store does not have; it has list, register");
    assertThat(run("--client", command, "--for-update").code()).isEqualTo(254);
    assertThat(run("--client", command, "--writes", "update").code()).isEqualTo(254);
  }

  @Test
  void aFaultByCommandsBeginsAndEnds() throws Exception {
    require("python3");
    Path toy = Files.writeString(folder.resolve("toy.py"), block("python"));
    Path log = folder.resolve("log");
    List<String> all = new ArrayList<>(List.of("run", "--client", "python3 " + toy));
    all.addAll(List.of("--out", folder.resolve("h.assay").toString(), "--duration", "2s"));
    all.addAll(List.of("--rate", "200/s", "--faults-every", "200ms", "--faults-for", "200ms"));
    all.addAll(List.of("--fault-command", "echo start >> " + log, "echo stop >> " + log));
    Ran ran = Ran.of(all.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err() + ran.out()).isZero();
    assertThat(ran.out()).contains("command of the store", "available");
    List<String> lines = Files.readAllLines(log);
    assertThat(lines).isNotEmpty();
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).isEqualTo(i % 2 == 0 ? "start" : "stop");
    }
    assertThat(lines.get(lines.size() - 1)).isEqualTo("stop");
  }

  @Test
  void theClientInJavaScriptWorksOnAStoreWithAnHttpInterface() throws Exception {
    require("node");
    Path toy = Files.writeString(folder.resolve("toy.mjs"), block("javascript"));
    assertThat(block("javascript").lines().count()).isLessThan(55);
    try (HttpStore store = new HttpStore()) {
      Ran ran = run(20, "--client", "node " + toy, store.url());
      assertThat(ran.code()).as(ran.err() + ran.out()).isZero();
      assertThat(ran.out()).startsWith("http-toy promised serializable and gave it");
      store.careless = true;
      Ran careless = run(40, "--client", "node " + toy, store.url());
      assertThat(careless.code()).as(careless.err() + careless.out()).isEqualTo(1);
    }
  }

  @Test
  void aClientInAJarIsKnownByItsName() throws Exception {
    jar("example.Careless", block("java"));
    Ran ran = run(3_000, "careless", "--plugins", folder.toString());
    assertThat(ran.out()).startsWith("Careless 1.0 promised serializable and gave ");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(run("careless", "--plugins", folder.toString(), "--schedules").code())
        .isEqualTo(254);
    assertThat(Ran.of("check", "--plugins", folder.toString(), "--checker", "x", "y").err())
        .contains("unknown checker 'x'");
  }

  @Test
  void aClientThatStartsNoStoreAsksForItsAddress() throws Exception {
    String page = block("java");
    String starts = "@Override public boolean isEmbedded() { return true; }";
    assertThat(page).contains(starts);
    jar("example.Careless", page.replace(starts, ""));
    Ran ran = run("careless", "--plugins", folder.toString());
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("give the address of a running one").doesNotContain("JDBC");
  }

  @Test
  void aProgramThatIsNoClientIsOneError() {
    Ran ran = run("--client", "echo hello");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err())
        .contains("the client sh -c echo hello cannot be used", "not an answer: hello")
        .doesNotContain("Exception");
  }

  private void jar(String name, String source) throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    String simple = name.substring(name.lastIndexOf('.') + 1);
    Path file = Files.writeString(classes.resolve(simple + ".java"), source);
    String path = System.getProperty("java.class.path");
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", path, "-d", classes.toString(), file.toString());
    assertThat(code).isZero();
    try (OutputStream out = Files.newOutputStream(folder.resolve("client.jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      Path compiled = classes.resolve(name.replace('.', '/') + ".class").getParent();
      try (var files = Files.list(compiled)) {
        for (Path one : files.toList()) {
          jar.putNextEntry(new JarEntry("example/" + one.getFileName()));
          Files.copy(one, jar);
        }
      }
      jar.putNextEntry(new JarEntry("META-INF/services/dev.assay.collect.client.Client"));
      jar.write((name + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Versions of values under names, and commits that are refused if one read is not current. */
  private static final class HttpStore implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private volatile boolean careless;

    HttpStore() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newFixedThreadPool(4));
      server.createContext("/", this::answer);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
      String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getPath();
      int status = 200;
      String body = "";
      synchronized (this) {
        if (path.startsWith("/keys/")) {
          String key = path.substring("/keys/".length());
          Map<String, Object> found = new LinkedHashMap<>();
          found.put("value", values.get(key));
          found.put("version", versions.getOrDefault(key, 0L));
          body = Json.line(found);
        } else {
          status = commit(Json.readObject(text)) ? 200 : 409;
        }
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    }

    private boolean commit(Map<String, Object> asked) {
      for (Map.Entry<String, Object> read : Json.object(asked.get("versions")).entrySet()) {
        long current = versions.getOrDefault(read.getKey(), 0L);
        if (current != Json.number(read.getValue()) && !careless) {
          return false;
        }
      }
      Json.object(asked.get("writes"))
          .forEach(
              (key, value) -> {
                values.put(key, value);
                versions.merge(key, 1L, Long::sum);
              });
      return true;
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
