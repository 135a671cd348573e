package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.assay.Assay;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.db.Table;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.json.Records;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunState;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import dev.assay.history.History;
import dev.assay.history.Nodes;
import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands leave in the folder they are run in, which for that is another process. */
class KeptRunTest {
  @TempDir Path folder;

  @Test
  void aRunIsAFolderWithAllThatIsKnownOfIt() throws Exception {
    int code =
        assay("run", "--isolation", "read-committed", "--sessions", "2", "--transactions", "9");
    RunFolder run = only();
    assertThat(run.id()).endsWith("-h2-read-committed");
    assertThat(run.status()).isEqualTo(code == 0 ? RunStatus.HEALTHY : RunStatus.UNKNOWN);
    assertThat(run.config().fields())
        .containsEntry("source", "database")
        .containsEntry("database", "h2")
        .containsEntry("sessions", "2")
        .containsEntry("transactions", "9");
    assertThat(run.file("verdict.json"))
        .content()
        .startsWith("{\"schema\":1")
        .contains("\"run\":{\"sessionsAsked\":2,\"sessionsRun\":2,\"connections\":2,");
    assertThat(run.file("report.html")).content().startsWith("<!DOCTYPE html>");
    String file = run.file(RunFolder.HISTORY).toString();
    assertThat(Ran.of("check", file, "--output", "json").out())
        .contains("\"concurrentConflictsIsLowerBound\":false");
    assertThat(Ran.of("check", file, "--level", "read-uncommitted").out())
        .contains("note: this rests on ", " committed transactions");
    Ran again = Ran.of("check", "--quiet", folder.resolve("assay-runs").toString());
    assertThat(again.code()).isEqualTo(code);
    assertThat(again.err()).isEmpty();
  }

  @Test
  void aRunIsRepeatedFromItsConfiguration() throws Exception {
    Path config = folder.resolve("config.json");
    Files.writeString(
        config, "{\"source\":\"database\",\"database\":\"h2\",\"workload\":\"counter\"}");
    String[] first = {
      "run",
      "--config",
      config.toString(),
      "--sessions",
      "3",
      "--transactions",
      "9",
      "--isolation",
      "read-committed",
      "--seed",
      "5",
      "--server-option",
      "MODE=MySQL"
    };
    assertThat(assay(first)).isIn(0, 2);
    RunFolder run = only();
    assertThat(run.config().fields())
        .containsEntry("workload", "counter")
        .containsEntry("server-options", Map.of("MODE", "MySQL"));
    assertThat(assay("run", "--config", run.path().toString(), "--keys", "4")).isIn(0, 2);
    List<RunFolder> runs = RunStore.open(folder.resolve("assay-runs")).all();
    assertThat(runs).hasSize(2);
    RunFolder again = runs.get(0).id().equals(run.id()) ? runs.get(1) : runs.get(0);
    assertThat(again.config()).isEqualTo(run.config().with(Parameters.KEYS, "4"));

    Files.writeString(config, "{\"source\":\"upload\"}");
    assertThat(Ran.of("run", "--config", config.toString()).err())
        .contains("is not the configuration of a run on a database");
    Files.writeString(config, "no JSON");
    Ran bad = Ran.of("run", "--config", config.toString());
    assertThat(bad.code()).isEqualTo(254);
    assertThat(bad.err()).contains("of a run: not valid JSON at line 1").hasLineCount(1);
    assertThat(Ran.of("run", "--config", folder.resolve("none").toString()).err())
        .contains("there is no file")
        .hasLineCount(1);
  }

  @Test
  void aConfigurationWrittenByHandIsTakenAtItsWord() throws Exception {
    Path config = folder.resolve("config.json");
    String start = "{\"source\":\"database\",\"database\":\"h2\",\"transactions\":1,";
    Files.writeString(config, start + "\"for-update\":false,\"session\":2}");
    Ran ran = Ran.of("run", "--config", config.toString(), "--out", folder + "/a.assay");
    assertThat(ran.err()).contains("not used of " + config + ": session");
    assertThat(ran.code()).isIn(0, 2);
    Files.writeString(config, start + "\"white-box\":false,\"for-update\":\"maybe\"}");
    Ran wrong = Ran.of("run", "--config", config.toString(), "--out", folder + "/b.assay");
    assertThat(wrong.err()).contains("for-update: 'maybe' is not yes or no").hasLineCount(1);
    assertThat(wrong.code()).isEqualTo(254);
  }

  @Test
  void whereTransactionsRanIsOnRecordWithoutSecrets() throws Exception {
    // Two databases in one server are not one database, and nothing says they are.
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon").start();
    String at = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:";
    try (Connection keep = DriverManager.getConnection(at + "a;DB_CLOSE_DELAY=-1", "u", "hunter2");
        Connection other =
            DriverManager.getConnection(at + "b;DB_CLOSE_DELAY=-1", "u", "hunter2")) {
      for (Table table : Table.values()) {
        try (Statement statement = other.createStatement()) {
          statement.execute(Databases.standard().dialect().create(table));
        }
      }
      assertThat(keep.isClosed()).isFalse();
      String secret = ";USER=u;PASSWORD=hunter2";
      int code =
          assay(
              "run",
              "h2",
              at + "a" + secret,
              at + "b" + secret,
              "--sessions",
              "4",
              "--transactions",
              "50",
              "--isolation",
              "read-committed");
      assertThat(code).isIn(0, 1, 2);
    } finally {
      server.stop();
    }
    RunFolder run = only();
    assertThat(run.config().fields())
        .containsEntry("url", at + "a " + at + "b")
        .containsEntry("url-parameters", "not stored");
    History history = Assay.read(run.file(RunFolder.HISTORY));
    Nodes nodes = Nodes.of(history);
    assertThat(nodes.count()).isEqualTo(2);
    Map<String, Integer> sessions = new TreeMap<>();
    for (int session = 0; session < history.sessionCount(); session++) {
      sessions.merge(nodes.address(history.sessionTransaction(session, 0)), 1, Integer::sum);
    }
    assertThat(sessions.keySet()).containsExactly(at + "a", at + "b");
    String json = Files.readString(run.file(RunFolder.VERDICT));
    assertThat(json).contains("\"node\":\"" + at);
    assertThat(Files.readString(run.file(RunFolder.REPORT))).contains(at + "b", "on node 2");
    for (String file : List.of("config.json", "state.json", "verdict.json", "report.html")) {
      assertThat(run.file(file)).content().doesNotContain("hunter2");
    }
    Path lines = folder.resolve("h.jsonl");
    Ran.of("convert", run.file(RunFolder.HISTORY).toString(), lines.toString());
    assertThat(Nodes.of(Assay.read(lines)).number(0)).isEqualTo(nodes.number(0)).isPositive();
  }

  @Test
  void aRecordingThatNobodyCheckedSaysSo() throws Exception {
    assertThat(assay("record", "--sessions", "2", "--transactions", "9")).isZero();
    assertThat(only().status()).isEqualTo(RunStatus.UNKNOWN);
    assertThat(only().state()).extracting(RunState::message).isEqualTo("recorded and not checked");
  }

  @Test
  void aRunThatCannotBeJudgedIsKeptAsFailedWithTheReason() throws Exception {
    assertThat(assay("run", "--sessions", "2", "--transactions", "9", "--aborts", "1"))
        .isEqualTo(254);
    assertThat(only().status()).isEqualTo(RunStatus.FAILED);
    assertThat(only().state().message()).startsWith("no transaction committed in");
  }

  @Test
  void aRunWhoseServerIsGoneInTheEndIsNotOk() throws Exception {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon").start();
    String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:gone;DB_CLOSE_DELAY=-1";
    Process run =
        start("run", url, "--isolation", "read-committed", "--sessions", "3", "--duration", "3s");
    while (run.isAlive() && recorded() < 1_000) {
      Thread.sleep(20);
    }
    server.stop();
    assertThat(run.waitFor()).isEqualTo(2);
    assertThat(only().status()).isEqualTo(RunStatus.UNKNOWN);
    RunResult found = only().state().found();
    assertThat(found.incomplete())
        .startsWith("at the end of the run, ")
        .contains("could not be read", "the server has been gone");
    assertThat(found.run().sessionsAsked()).isEqualTo(3);
    assertThat(found.run().connectionsRefused()).isPositive();
    assertThat(found.run().errors().keySet()).anyMatch(kind -> kind.startsWith("cannot connect: "));
    assertThat(Records.fields(found.run()))
        .containsAllEntriesOf(Records.fields(only().state().run()));
    Ran again = Ran.of("check", only().file(RunFolder.HISTORY).toString());
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.out().replaceAll("\\s+", " "))
        .contains("unknown: ", " for what was read; whether every committed write survived")
        .contains("note: at the end of the run");
    assertThat(Ran.of("check", "--output", "junit", folder.toString()).out())
        .contains("<error message=\"unknown: at the end of the run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aRunThatIsInterruptedWhileItIsJudgedEndsWithItsVerdict(String signal) throws Exception {
    assumeFalse(isInterruptIgnored(), "whoever started this test ignores Ctrl-C for it");
    String[] arguments = {
      "run", "--isolation", "read-committed", "--expect", "serializable", "--duration", "10m"
    };
    Process run = start(arguments);
    while (run.isAlive() && !Files.readString(errors()).contains(" violated after ")) {
      Thread.sleep(20);
    }
    send(signal, run);
    assertThat(run.waitFor()).isEqualTo(1);
    assertThat(only().status()).isEqualTo(RunStatus.BUGGY);
    assertThat(Files.readString(only().file(RunFolder.VERDICT))).contains("\"violated\"");
    assertThat(Assay.read(only().file(RunFolder.HISTORY)).transactionCount()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aHistoryThatIsWatchedWhenASignalComesGetsTheVerdictSoFar(String signal) throws Exception {
    assumeFalse(isInterruptIgnored(), "whoever started this test ignores Ctrl-C for it");
    Process watch = start("watch", "--output", "json", "--lateness", "1ms", "-");
    OutputStream input = watch.getOutputStream();
    String[] lines = {
      "{\"assay\":1}",
      "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}",
      "{\"session\":2,\"ops\":[[\"r\",\"x\",1],[\"w\",\"x\",2]]}",
      "{\"session\":3,\"ops\":[[\"r\",\"x\",1],[\"w\",\"x\",3]]}"
    };
    input.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
    while (watch.isAlive() && !Files.readString(output()).contains("\"event\":\"begin\"")) {
      Thread.sleep(20);
    }
    send(signal, watch);
    assertThat(watch.waitFor()).isEqualTo(1);
    assertThat(Files.readString(output()))
        .contains("\"event\":\"end\",\"because\":\"interrupted\"", "lost-update");
  }

  @Test
  void aBatchThatIsInterruptedSaysHowManyRunsAreMissing() throws Exception {
    assumeFalse(isInterruptIgnored(), "whoever started this test ignores Ctrl-C for it");
    Process batch = start("record", "--sessions", "1,2,3", "--duration", "10m");
    while (batch.isAlive() && recorded() < 10_000) {
      Thread.sleep(20);
    }
    interrupt(batch);
    assertThat(batch.waitFor()).isZero();
    assertThat(Files.readString(errors()))
        .endsWith("assay: interrupted: 2 runs of this batch were not started\n");
    assertThat(only().status()).isEqualTo(RunStatus.UNKNOWN);
  }

  @Test
  void aSearchForTheSmallestPartThatIsInterruptedWritesItsBestSoFar() throws Exception {
    assumeFalse(isInterruptIgnored(), "whoever started this test ignores Ctrl-C for it");
    // A cycle of which nothing can be left out, so that each attempt to do so is in vain.
    int size = 4_000;
    StringBuilder cycle = new StringBuilder("w(0,1,0,0)\n");
    for (int txn = 1; txn <= size; txn++) {
      int next = txn % size + 1;
      cycle.append("w(%d,1,%d,%d)\nr(%d,1,%d,%d)\n".formatted(txn, txn, txn, next, txn, txn));
    }
    Files.writeString(folder.resolve("cycle.txt"), cycle);
    String[] arguments = {"shrink", "--level", "causal", "-o", "part.txt", "cycle.txt"};
    Process search = start(List.of("-Dassay.terminal.stderr=true"), arguments);
    while (search.isAlive() && !Files.readString(errors()).contains("shrinking")) {
      Thread.sleep(20);
    }
    interrupt(search);
    assertThat(search.waitFor()).isEqualTo(1);
    assertThat(Files.readString(errors()))
        .contains("violates causal: ")
        .endsWith("; interrupted, so a smaller part may exist\n");
    Path part = folder.resolve("part.txt");
    assertThat(Ran.of("check", "--level", "causal", part.toString()).code()).isEqualTo(1);
  }

  @Test
  void readingThatIsInterruptedIsSaid() throws Exception {
    assumeFalse(isInterruptIgnored(), "whoever started this test ignores Ctrl-C for it");
    Process search = start(List.of("-Dassay.terminal.stderr=true"), "shrink", "-");
    OutputStream input = search.getOutputStream();
    while (search.isAlive() && !Files.readString(errors()).contains("reading")) {
      input.write("w(1,1,1,1)\n".getBytes(StandardCharsets.UTF_8));
      input.flush();
      Thread.sleep(20);
    }
    interrupt(search);
    input.close();
    assertThat(search.waitFor()).isEqualTo(2);
    assertThat(Files.readString(errors())).endsWith("assay: -: interrupted while reading\n");
  }

  private static void interrupt(Process process) throws Exception {
    send("INT", process);
  }

  private static void send(String signal, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  /** The bytes on record so far, of all runs. */
  private long recorded() throws Exception {
    Path runs = folder.resolve("assay-runs");
    if (!Files.isDirectory(runs)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(runs)) {
      return files
          .filter(file -> file.endsWith(RunFolder.HISTORY))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  /** Children inherit it, and Java leaves it as it is. */
  private static boolean isInterruptIgnored() throws Exception {
    int interrupt = 2;
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> interrupt - 1 & 1) == 1;
      }
    }
    return false;
  }

  private RunFolder only() throws Exception {
    List<RunFolder> runs = RunStore.open(folder.resolve("assay-runs")).all();
    assertThat(runs).hasSize(1);
    return runs.get(0);
  }

  private Path output() {
    return folder.resolve("output.txt");
  }

  private Path errors() {
    return folder.resolve("errors");
  }

  private int assay(String... arguments) throws Exception {
    return start(arguments).waitFor();
  }

  private Process start(String... arguments) throws Exception {
    return start(List.of(), arguments);
  }

  private Process start(List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String classPath =
        String.join(
            File.pathSeparator,
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(output().toFile())
        .redirectError(errors().toFile())
        .start();
  }
}
