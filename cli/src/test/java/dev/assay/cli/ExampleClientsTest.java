package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.server.Programs;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients in docs/clients, built as docs/databases.md says, on the stores they are for. */
class ExampleClientsTest {
  private static final Path CLIENTS = Path.of("..", "docs", "clients").toAbsolutePath().normalize();

  @TempDir Path folder;

  private Ran run(String client, String... options) {
    List<String> all = new ArrayList<>(List.of("run", "--client", client, "--sessions", "4"));
    all.addAll(List.of("--out", folder.resolve("h.assay").toString(), "--force", "--keys", "4"));
    all.addAll(List.of(options));
    return Ran.of(all.toArray(String[]::new));
  }

  /** Runs until a level is violated that the store does not claim: its client would show it. */
  private void violates(String level, String client, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--level", level, "--until-violated", "--duration", "60s"));
    Ran ran = run(client, all.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err() + ran.out()).isEqualTo(1);
  }

  /** A number of transactions at the level that the store claims, which must hold. */
  private void keepsItsPromise(String title, String client, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--transactions", "20", "--duration", "60s"));
    Ran ran = run(client, all.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err() + ran.out()).isZero();
    assertThat(ran.out()).startsWith(title).contains(" promised ", " committed");
  }

  private static void command(Path in, String... words) throws Exception {
    File log = Files.createTempFile("command", ".log").toFile();
    Process process =
        new ProcessBuilder(words)
            .directory(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log.toPath())).isZero();
    Files.delete(log.toPath());
  }

  /** The command of a client in Java, after it was built. */
  private static String java(String store, String name, String... options) throws Exception {
    command(CLIENTS, "mvn", "-q", "-B", "-P", store, "package");
    String path = CLIENTS.resolve("target").resolve(store) + "/*";
    return "java " + String.join(" ", options) + " -cp '" + path + "' " + name;
  }

  /** The command of a client in JavaScript, after what it imports was installed beside it. */
  private String node(String name, String... packages) throws Exception {
    require("node");
    Path program = Files.copy(CLIENTS.resolve(name), folder.resolve(name));
    if (packages.length > 0) {
      require("npm");
      List<String> words = new ArrayList<>(List.of("npm", "install", "--no-fund", "--no-audit"));
      words.addAll(List.of(packages));
      command(folder, words.toArray(String[]::new));
    }
    return "node " + program;
  }

  private static void require(String program) {
    Assumptions.assumeTrue(Programs.find(program).isPresent(), program + " is not installed");
  }

  @Test
  void hazelcast() throws Exception {
    String client = java("hazelcast", "Hazelcast");
    keepsItsPromise("Hazelcast", client, "--isolation", "one-phase", "-w", "register");
    violates("cursor-stability", client, "--isolation", "two-phase", "-w", "read-modify-write");
  }

  @Test
  @Tag("extended")
  void infinispan() throws Exception {
    String client = java("infinispan", "Infinispan");
    String[] readCommitted = {"--isolation", "pessimistic-read-committed", "-w", "register"};
    keepsItsPromise("Infinispan", client, readCommitted);
    String repeatable = "pessimistic-repeatable-read";
    violates("cursor-stability", client, "--isolation", repeatable, "-w", "read-modify-write");
    keepsItsPromise(
        "Infinispan", client, "--isolation", repeatable, "--for-update", "-w", "read-modify-write");
  }

  @Test
  @Tag("extended")
  void neo4j() throws Exception {
    String client = java("neo4j", "Neo4j");
    keepsItsPromise("Neo4j", client, "-w", "list-append");
    violates("cursor-stability", client, "-w", "read-modify-write");
  }

  @Test
  @Tag("extended")
  void scalarDb() throws Exception {
    String client = java("scalardb", "ScalarDb");
    keepsItsPromise("ScalarDB", client, "--isolation", "serializable", "-w", "list-append");
    keepsItsPromise("ScalarDB", client, "--isolation", "snapshot", "-w", "list-append");
    violates("serializable", client, "--isolation", "snapshot", "-w", "list-append");
  }

  @Test
  @Tag("extended")
  void ignite() throws Exception {
    String client = java("ignite", "Ignite", "@" + CLIENTS.resolve("ignite.args"));
    String[] pessimistic = {"--isolation", "pessimistic-repeatable-read"};
    keepsItsPromise("Apache Ignite", client, pessimistic);
    violates("repeatable-read", client, "--isolation", "optimistic-repeatable-read");
  }

  @Test
  @Tag("extended")
  void cassandraWithAccord() throws Exception {
    String client = java("cassandra", "Cassandra", "@" + CLIENTS.resolve("cassandra.args"));
    keepsItsPromise("Apache Cassandra", client, "-w", "list-append");
  }

  @Test
  @Tag("extended")
  void turso() throws Exception {
    String client = node("turso.mjs", "@tursodatabase/database@0.7.2");
    keepsItsPromise("Turso", client, "-w", "register");
    violates("serializable", client, "-w", "register");
  }

  @Test
  @Tag("extended")
  void surrealDb() throws Exception {
    String client = node("surreal.mjs", "surrealdb@2.0.8", "@surrealdb/node@3.0.3");
    String onDisk = client + " rocksdb://" + folder.resolve("data");
    keepsItsPromise("SurrealDB", onDisk, "-w", "list-append");
  }

  @Test
  @Tag("extended")
  void redis() throws Exception {
    require("redis-server");
    int port = freePort();
    String[] words = {
      "redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--dir", "" + folder
    };
    Process server =
        new ProcessBuilder(words).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      String client = node("redis.mjs");
      keepsItsPromise("Redis", client, "redis://127.0.0.1:" + port, "-w", "list-append");
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
