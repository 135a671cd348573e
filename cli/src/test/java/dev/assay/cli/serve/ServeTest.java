package dev.assay.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeTest {
  private static final String[] LONG_RUN = {
    "source", "database", "database", "h2", "duration", "10m", "sessions", "2"
  };

  @TempDir Path folder;

  @Test
  void aRunOnADatabaseIsRecordedCheckedAndKeptAsFiles() throws Exception {
    try (Served served = Served.at(folder)) {
      String id =
          served.submit(
              "source",
              "database",
              "database",
              "h2",
              "isolation",
              "read-committed",
              "sessions",
              "2",
              "transactions",
              "20",
              "checkers",
              "assay",
              "checkers",
              "weak-levels");
      RunFolder run = served.await(id);
      assertThat(run.status()).isIn(RunStatus.HEALTHY, RunStatus.UNKNOWN);
      for (String file :
          List.of(
              "config.json",
              "state.json",
              "history.assay",
              "verdict.json",
              "verdict-weak-levels.json",
              "report.html",
              "log.txt",
              "samples-record.csv",
              "live.json")) {
        assertThat(run.file(file)).exists();
        assertThat(served.client().get("/runs/" + id + "/files/" + file).status()).isEqualTo(200);
      }
      assertThat(run.state().byChecker()).containsKeys("assay", "weak-levels");
      String page = served.client().get("/runs/" + id).body();
      assertThat(page)
          .contains("Time of each stage")
          .contains("Checkers side by side")
          .contains("data-plot=\"usage\"")
          .contains("assay run h2 --isolation=read-committed");
      assertThat(served.client().get("/runs/" + id + "/plots/usage.csv").body())
          .contains(",record,");
      assertThat(served.client().get("/runs/" + id + "/plots/stages.svg").body())
          .startsWith("<svg");
    }
  }

  @Test
  @Tag("extended")
  void aWhiteBoxRunWithFaultsIsCheckedWithItsCertificate() throws Exception {
    try (Served served = Served.at(folder)) {
      String id =
          served.submit(
              "source",
              "database",
              "database",
              "postgres",
              "workload",
              "predicates",
              "duration",
              "4s",
              "white-box",
              "yes",
              "faults",
              "pause",
              "faults-every",
              "1s");
      RunFolder run = served.await(id);
      assertThat(run.status()).as(run.state().toString()).isEqualTo(RunStatus.HEALTHY);
      assertThat(run.file("history.assay.certificate.jsonl")).isNotEmptyFile();
      assertThat(run.file("report.html"))
          .content()
          .contains("--version-order history.assay.certificate.jsonl");
      assertThat(served.client().get("/runs/" + id).body())
          .contains("files/history.assay.certificate.jsonl")
          .contains("--faults=pause");
    }
  }

  @Test
  void aBatchIsOneRunForEachCombinationWithCurves() throws Exception {
    try (Served served = Served.at(folder)) {
      String first =
          served.submit(
              "source",
              "synthetic",
              "sessions",
              "2,4",
              "transactions",
              "10",
              "distribution",
              "uniform,zipf");
      List<RunFolder> runs = served.runs();
      assertThat(runs).hasSize(4);
      for (RunFolder run : runs) {
        assertThat(served.await(run.id()).status()).isEqualTo(RunStatus.HEALTHY);
      }
      assertThat(served.client().get("/batches/" + first).body())
          .contains("4 of 4 runs are done")
          .contains("Check time over sessions")
          .contains("distribution zipf");
      String csv = served.client().get("/batches/" + first + "/plots/check-time.csv").body();
      assertThat(csv).startsWith("sessions,").contains("\n2,").contains("\n4,");
    }
  }

  @Test
  void whatWasCutShortOrNotDecidedIsHollowInABatch() throws Exception {
    try (Served served = Served.at(folder)) {
      String first =
          served.submit(
              "source",
              "database",
              "database",
              "h2",
              "sessions",
              "2,3",
              "transactions",
              "1000000",
              "duration",
              "1s",
              "checkers",
              "assay",
              "checkers",
              "weak-levels");
      for (RunFolder run : served.runs()) {
        served.await(run.id());
      }
      String page = served.client().get("/batches/" + first).body();
      // Two runs and two checkers in each of the plots of times and memory, one in the others.
      assertThat(page.split("mark hollow", -1)).hasSizeGreaterThan(2 * 2 * 2);
      assertThat(page).contains("cut short: fewer transactions than asked for", "(cut short)");
      assertThat(served.client().get("/batches/" + first + "/plots/check-time.csv").body())
          .contains("assay remark")
          .contains("cut short");
    }
  }

  @Test
  void stoppingARunEndsItsProcess() throws Exception {
    try (Served served = Served.at(folder)) {
      String id = served.submit(LONG_RUN);
      served.await(id, RunStatus.RUNNING);
      List<ProcessHandle> children = children(id);
      assertThat(children).hasSize(1);
      served.client().post("/runs/" + id + "/stop", "do", "stop");
      assertThat(served.run(id).status()).isEqualTo(RunStatus.STOPPED);
      assertThat(children).noneMatch(ProcessHandle::isAlive);
    }
  }

  @Test
  void aFolderHasOneServer() throws IOException {
    Served served = Served.at(folder);
    assertThatThrownBy(() -> Served.at(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another assay serve");
    served.close();
    Served.at(folder).close();
  }

  @Test
  void theQueueSurvivesARestart() throws Exception {
    String running;
    String waiting;
    List<ProcessHandle> children;
    try (Served served = Served.at(folder)) {
      running = served.submit(LONG_RUN);
      waiting = served.submit("source", "synthetic", "sessions", "2", "transactions", "10");
      served.await(running, RunStatus.RUNNING);
      children = children(running);
      assertThat(served.run(waiting).status()).isEqualTo(RunStatus.PENDING);
    }
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(RunStore.open(folder).find(running).orElseThrow().status())
        .isEqualTo(RunStatus.PENDING);
    try (Served served = Served.at(folder)) {
      served.await(running, RunStatus.RUNNING);
      served.client().post("/runs/" + running + "/delete", "do", "delete");
      assertThat(served.await(waiting).status()).isEqualTo(RunStatus.HEALTHY);
      assertThat(served.runs()).extracting(RunFolder::id).containsExactly(waiting);
    }
  }

  @Test
  void theEndOfTheCommandIsTheEndOfItsChildren() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.assay.cli.Main"));
    command.addAll(List.of("serve", "--port", "0", "--store", folder.toString()));
    Process serve =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader out = serve.inputReader()) {
      String line = out.readLine();
      assertThat(line).startsWith("Assay is at http://127.0.0.1:");
      RawHttp client = RawHttp.loggedIn(line.replace("Assay is at ", ""));
      client.post("/runs", LONG_RUN);
      List<ProcessHandle> children = new ArrayList<>();
      while (children.isEmpty()) {
        serve.descendants().forEach(children::add);
        Thread.sleep(50);
      }
      serve.destroy();
      serve.waitFor();
      assertThat(children).noneMatch(ProcessHandle::isAlive);
      assertThat(RunStore.open(folder).all().get(0).status()).isEqualTo(RunStatus.PENDING);
    } finally {
      serve.destroyForcibly();
    }
  }

  @Test
  void aRunCanBeRepeatedAndTakenAway() throws Exception {
    try (Served served = Served.at(folder)) {
      byte[] history = "w(1,1,1,1)\nr(1,1,2,2)\n".getBytes(StandardCharsets.UTF_8);
      String id =
          served.submit(
              "source", "upload", "upload", served.upload("a.txt", history), "label", "a");
      RunStatus status = served.await(id).status();
      RawHttp.Answer again = served.client().post("/runs/" + id + "/rerun", "do", "rerun");
      String second = again.header("Location").replace("/runs/", "");
      assertThat(second).isNotEqualTo(id);
      assertThat(served.await(second).status()).isEqualTo(status);
      List<String> names = new ArrayList<>();
      byte[] zip = served.client().get("/runs.zip").body().getBytes(StandardCharsets.ISO_8859_1);
      try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
        for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
          names.add(entry.getName());
        }
      }
      assertThat(names)
          .contains(id + "/history.txt", id + "/verdict.json", second + "/history.txt")
          .noneMatch(name -> name.contains(".tmp"));
    }
  }

  @Test
  void labelsAndNotesAreThereAfterARestart() throws Exception {
    String id;
    try (Served served = Served.at(folder)) {
      byte[] history =
          Files.readAllBytes(Path.of("../histories/strong-snapshot-isolation/write-skew.edn"));
      id = served.submit("source", "upload", "upload", served.upload("skew.edn", history));
      assertThat(served.await(id).status()).isEqualTo(RunStatus.BUGGY);
      served.client().post("/bugs/" + id + "/G2-item", "label", "Fixed", "notes", "in 2.0");
    }
    try (Served served = Served.at(folder)) {
      assertThat(served.client().get("/bugs?label=Fixed").body()).contains("in 2.0").contains(id);
      assertThat(served.client().get("/bugs?label=Open").body()).doesNotContain("in 2.0");
    }
  }

  @Test
  void runsOfTheCommandLineInTheSameFolderAreShown() throws Exception {
    try (Served served = Served.at(folder)) {
      RunFolder run =
          RunStore.create(
              folder, "h2", RunConfig.read(Map.of("source", "database", "database", "h2")));
      run.become(RunStatus.HEALTHY, null);
      assertThat(served.client().get("/runs").body()).contains(run.id());
    }
  }

  @Test
  void otherPeoplesCheckersStandBesideOurs() throws Exception {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    Files.writeString(
        plugins.resolve("no.json"),
        "{\"name\": \"naysayer\", \"command\": [\"sh\", \"-c\", \"exit 1\", \"{history}\"],"
            + " \"levels\": [\"serializable\"]}");
    try (Served served = Served.at(folder.resolve("store"), plugins, List.of("naysayer"))) {
      assertThat(served.client().get("/new").body()).contains("value=\"naysayer\"");
      String id =
          served.submit(
              "source",
              "synthetic",
              "sessions",
              "2",
              "transactions",
              "5",
              "checkers",
              "assay,naysayer");
      RunFolder run = served.await(id);
      assertThat(run.status()).isEqualTo(RunStatus.HEALTHY);
      assertThat(run.state().byChecker().get("naysayer").status()).isEqualTo(RunStatus.BUGGY);
      assertThat(served.client().get("/runs/" + id).body())
          .contains("Levels by checker: they disagree on 3 levels<")
          .containsPattern("<tr class=\"disputed\"><th[^>]*>[^<]* serializable<");
    }
  }

  private static List<ProcessHandle> children(String id) throws InterruptedException {
    List<ProcessHandle> children = new ArrayList<>();
    for (int i = 0; children.isEmpty() && i < 100; i++) {
      ProcessHandle.current()
          .descendants()
          .filter(child -> child.info().commandLine().orElse("").contains(id))
          .forEach(children::add);
      Thread.sleep(50);
    }
    return children;
  }
}
