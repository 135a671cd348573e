package dev.assay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.cli.Ran;
import dev.assay.collect.config.RunRules;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.runs.SavedCertificate;
import dev.assay.collect.server.Programs;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCommandTest {
  @TempDir Path folder;

  @Test
  void withoutADatabaseItRunsH2AndSaysWhatItGave() {
    Ran ran = run("run", "--isolation", "read-committed");
    assertThat(ran.out())
        .startsWith("H2 ")
        .contains(" promised read committed and gave it")
        .contains("history   " + file())
        .contains(" committed, ");
    assertThat(ran.code()).isIn(0, 2);
    assertThat(ran.err()).contains("assay: running on H2 ");
  }

  @Test
  void whatIsUnknownIsNotHeldAgainstTheDatabase() throws Exception {
    Report report = partlyOpen();
    List<Level> judged = List.copyOf(Level.surveyed());
    assertThat(RunCommand.found(new CheckResult("h", report, judged, true, 0, -1)))
        .matches(".* \\(at least: [0-9]+ levels unknown\\)");
  }

  /** That the levels asked about do not hold says nothing about the others. */
  @Test
  void noLevelIsDeniedThatWasNotLookedAt() throws Exception {
    History history = Assay.read(Path.of("..", "histories", "prefix", "lost-update.txt"));
    Set<Level> levels = Set.of(Level.SERIALIZABLE);
    Report report = Assay.check(history, levels, Budget.unlimited());
    List<Level> judged = List.copyOf(levels);
    assertThat(RunCommand.found(new CheckResult("h", report, judged, false, 0, -1)))
        .isEqualTo("none of the levels of --level");
    assertThat(RunCommand.found(new CheckResult("h", report, judged, true, 0, -1)))
        .isEqualTo("no level that is known to hold");
  }

  @Test
  void predicatesThatStayOpenAreAReasonToReadTheLog() throws Exception {
    Report report = partlyOpen();
    CheckResult open = judgedBy(Verdict.Reason.AMBIGUOUS, report);
    CheckResult timeless = judgedBy(Verdict.Reason.NO_REALTIME, report);
    Database postgres = Databases.byId("postgres").orElseThrow();
    Database h2 = Databases.byId("h2").orElseThrow();
    assertThat(RunCommand.mayHelp(open, "predicates", postgres)).isTrue();
    assertThat(RunCommand.mayHelp(open, "mixed", postgres)).isFalse();
    assertThat(RunCommand.mayHelp(open, "predicates", h2)).isFalse();
    assertThat(RunCommand.mayHelp(timeless, "predicates", postgres)).isFalse();
  }

  @Test
  void snapshotsOfSetsAreFoundToBeThat() {
    Ran ran = run("run", "h2", "--isolation", "snapshot", "--workload", "set-insert");
    assertThat(ran.code()).as("%s", ran).isZero();
  }

  @Test
  void theRecordingSaysWhatWasAskedOfWhom() throws Exception {
    assertThat(run("record", "h2", "--isolation", "snapshot").code()).isZero();
    History history = Assay.read(file());
    assertThat(history.metadata())
        .containsEntry("level", "snapshot-isolation")
        .containsEntry("isolation", "snapshot")
        .containsEntry("ended", "all transactions are done")
        .containsKeys("database", "workload", "seed", "clock", History.FINAL_SESSION);
    assertThat(history.transactionCount()).isGreaterThan(3 * 20);
  }

  @Test
  void mixedLevelsAreOnRecordAndJudged() throws Exception {
    Ran ran = run("record", "h2", "--isolation", "snapshot,read-committed", "--mix", "50:50");
    assertThat(ran.code()).as("%s", ran).isZero();
    History history = Assay.read(file());
    Set<String> levels = new TreeSet<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      levels.add(history.level(txn));
    }
    Database h2 = Databases.byId("h2").orElseThrow();
    assertThat(levels)
        .containsExactlyInAnyOrder(
            RunRules.isolation(h2, "snapshot").claimed().id(),
            RunRules.isolation(h2, "read-committed").claimed().id());
    assertThat(history.metadata())
        .containsEntry("level", "mixed")
        .containsEntry("isolation", "snapshot:50+read-committed:50");
    Report report = Assay.check(history, Set.of(Level.MIXED), Budget.unlimited());
    assertThat(report.verdict(Level.MIXED)).isNotInstanceOf(Verdict.Unknown.class);
  }

  @Test
  void sharesNeedAsManyLevels() {
    Ran ran = run("run", "h2", "--isolation", "serializable", "--mix", "80:20");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("--isolation serializable,read-committed --mix 80:20");
  }

  @Test
  void predicatesAreOnRecordWithTheirRowsAndTheShares() throws Exception {
    Ran ran = run("record", "h2", "--workload", "predicates", "--shares", "range=1,insert=2");
    assertThat(ran.code()).isZero();
    History history = Assay.read(file());
    assertThat(history.metadata()).containsEntry("columns", "val,ver");
    assertThat(history.metadata().get("workload")).endsWith("insert=2,range=1");
    assertThat(history.predicates().count()).isPositive();
  }

  @Tag("extended")
  @Test
  void aWhiteBoxRunKeepsTheCertificateAndIsCheckedWithIt() {
    Ran ran = run("run", "postgres", "--workload", "predicates", "--white-box");
    Path certificate = folder.resolve("run.assay.certificate.jsonl");
    assertThat(ran.code()).as("%s", ran).isZero();
    assertThat(ran.out()).contains("  " + certificate + " (").contains("recovered in");
    assertThat(certificate).content().startsWith("{\"commits\":[");
    Ran again = Ran.of("check", "--version-order", certificate.toString(), file().toString());
    assertThat(again.code()).as("%s", again).isZero();
  }

  @Test
  void jsonIsAllThatIsOnStandardOutput() {
    Ran ran = run("run", "--output", "json");
    assertThat(ran.out()).startsWith("{\"schema\":1").hasLineCount(1);
    assertThat(ran.err()).contains("requested: serializable from H2 ");
  }

  @Test
  void quietSaysNothingButTheResult() {
    Ran ran = run("run", "--quiet");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).doesNotContain("kept:");
  }

  @Test
  void checkingTheRecordingLaterGivesTheSameVerdict() {
    Ran ran = run("run", "--quiet", "--isolation", "read-committed");
    assertThat(Ran.of("check", "--quiet", file().toString()).code()).isEqualTo(ran.code());
  }

  @Test
  void anExistingFileIsReplacedOnlyByForce() throws IOException {
    Files.writeString(file(), "something else");
    for (String command : new String[] {"record", "run"}) {
      Ran ran = run(command);
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err()).isEqualTo("assay: " + file() + " exists; --force replaces it\n");
    }
    assertThat(Files.readString(file())).isEqualTo("something else");
    Path certificate = SavedCertificate.placeBeside(file());
    Files.writeString(certificate, "of the history that is replaced");
    assertThat(run("record", "--force").code()).isZero();
    assertThat(certificate).doesNotExist();
    assertThat(Files.size(file())).isGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nosuch | unknown database 'nosuch'; known: h2, hsqldb",
        "postgre | did you mean postgres?",
        "mysql | Assay does not start MySQL",
        "h2 sqlite | one database at a time",
        "h2@ | '' is not a version of h2; leave out @",
        "h2@../x | '../x' is not a version of h2",
        "h2 --force | --force requires --out",
        "h2 --out no/such/x.assay | there is no folder",
        "h2 --isolation chaos | H2 offers read-uncommitted, read-committed, repeatable-read",
        "h2 --workload foo | unknown workload 'foo'",
        "h2 --workload versions | versions requires a store that tells the numbers of versions",
        "h2 --distribution foo | unknown distribution 'foo'",
        "h2 --writes foo | unknown kind of write 'foo'",
        "h2 --sessions 0 | --sessions: '0' is not a whole number from 1 to 1000000",
        "h2 --sessions many | 'many' is not a whole number",
        "h2 --operations 5-2 | must not be below",
        "h2 --reads 2 | between 0 and 1",
        "h2 --isolation , | --isolation has no value",
        "h2 --retries -1 | '-1' is not a whole number of at least 0",
        "h2 --workload tpcc --keys 0 | --keys: '0' is not a whole number of at least 1",
        "h2 --workload twitter --sessions 0 | '0' is not a whole number from 1",
        "h2 --workload rubis --transactions 0 | --transactions: '0' is not a whole number",
        "h2 --workload rubis --operations x | 'x' is not a number or a range",
        "h2 --schedules --output json | --output requires a workload",
        "h2 --schedules -d 3s | --duration requires a workload",
        "h2 --schedules --faults kill | --faults requires a workload",
        "h2 --white-box | cannot read the log of H2; it can for postgres, mariadb",
        "postgres --white-box --schedules | --white-box requires a workload",
        "h2 --shares read=1 | --shares requires --workload predicates",
        "h2 --workload predicates --shares reads=1 | there is no step 'reads'",
        "h2 --workload predicates --shares read=0 | all shares are 0",
        "h2 --faults kill | --faults requires a server that Assay starts",
        "etcd --faults skew | --faults skew cannot be done to etcd; what can: kill, pause,",
        "postgres --faults halves | --faults halves requires --replicas",
        "etcd --nodes 1 --faults ring | --faults ring requires more --nodes",
        "h2 --password-env NO_SUCH_VARIABLE | no environment variable NO_SUCH_VARIABLE",
        "h2 --output xml | unknown output 'xml'",
        "h2 --level foo | unknown level 'foo'",
        "h2 --out x.txt | the name must end in .assay",
        "h2 --sessions 1,2 --out x.assay | 2 histories would be recorded",
        "jdbc:h2:mem:x --server-option a=b | not for a URL",
        "jdbc:nobody:knows?password=hunter2 | No suitable driver on the class path; name its jar"
      })
  void mistakesAreNamedBeforeAnythingRuns(String arguments, String message) {
    Ran ran = Ran.of(("run " + arguments).split(" "));
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message).doesNotContain("hunter2");
    assertThat(ran.out()).isEmpty();
  }

  /** Its revisions number the versions. */
  @Test
  void versionNumbersOfEtcdAreRecordedAndJudged() throws Exception {
    assumeTrue(Programs.find("etcd").isPresent(), "needs: apt-get install -y etcd-server");
    Path recorded = folder.resolve("etcd.assay");
    Ran ran =
        Ran.of(
            "run",
            "etcd",
            "--nodes",
            "1",
            "-w",
            "versions",
            "-d",
            "1s",
            "--keys",
            "3",
            "--out",
            recorded.toString());
    assertThat(ran.out()).contains("promised strict serializable and gave it");
    assertThat(ran.code()).isEqualTo(0);
    History history = Formats.read(Input.of(recorded));
    int numbered = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      numbered += history.values().isVersioned(history.value(op)) ? 1 : 0;
    }
    assertThat(numbered).isGreaterThan(20);
  }

  @Test
  void anEmptyNameIsNoDatabase() {
    Ran ran = Ran.of("run", "");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("the name of the database is empty; known: h2, hsqldb");
  }

  @Test
  void schedulesGiveATableOfLevelsAndAnomalies() {
    String[] asked = {"run", "h2", "--schedules", "--isolation", "snapshot,serializable"};
    Ran ran = Ran.of(asked);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).startsWith("H2 ").contains("✗ write skew (G2-item)");
    assertThat(ran.out()).containsPattern("anomaly +snapshot +serializable\n");
    assertThat(ran.out()).containsPattern("G2-item +happens +HAPPENS\n");
    assertThat(ran.err()).matches("(?s)assay: running 13 schedules on H2 .* at snapshot\n.*");
  }

  @Test
  void tablesFitATerminalUnlessMarkdownIsAskedFor() {
    Ran schedules = Ran.of("run", "h2", "--schedules");
    assertThat(schedules.out().lines()).allMatch(line -> line.length() <= 80);
    Ran levels = Ran.of("run", "h2", "--isolation", "all", "--transactions", "20", "-q");
    assertThat(levels.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(levels.out()).startsWith("H2 ").containsPattern("(?m)^serializable ");
    Ran markdown = Ran.of("run", "h2", "--schedules", "--isolation", "snapshot", "--markdown");
    assertThat(markdown.out().lines().toList().get(0)).contains("H2").contains("| G2-item |");
    assertThat(markdown.out()).containsPattern("\\| snapshot .*happens");
    Ran single = Ran.of("run", "h2", "--markdown");
    assertThat(single.code()).isEqualTo(254);
    assertThat(single.err()).contains("--markdown requires --schedules or several runs");
  }

  private static CheckResult judgedBy(Verdict.Reason reason, Report report) {
    for (Level level : Level.surveyed()) {
      if (report.verdict(level) instanceof Verdict.Unknown open && open.reason() == reason) {
        return new CheckResult("h", report, List.of(level), true, 0, -1);
      }
    }
    throw new AssertionError("no level is unknown for " + reason);
  }

  /** Of an element that two transactions added little can be said. */
  /** Each element was added by two transactions: more choices of writers than are tried. */
  private Report partlyOpen() throws Exception {
    StringBuilder text = new StringBuilder();
    StringBuilder seen = new StringBuilder();
    for (int element = 1; element <= 20; element++) {
      String add = "{\"session\":%d,\"ops\":[[\"add\",\"s\",%d],[\"w\",\"x\",%d]]}\n";
      text.append(add.formatted(element, element, element));
      text.append(add.formatted(100 + element, element, 100 + element));
      seen.append(element == 1 ? "" : ",").append(element);
    }
    text.append("{\"session\":3,\"ops\":[[\"rs\",\"s\",[%s]],[\"r\",\"x\",1]]}\n".formatted(seen));
    Path twice = Files.writeString(folder.resolve("twice.jsonl"), text);
    return Assay.check(Assay.read(twice), Level.surveyed(), Budget.unlimited());
  }

  private Path file() {
    return folder.resolve("run.assay");
  }

  private Ran run(String command, String... more) {
    String[] fixed = {"--out", file().toString(), "--sessions", "3", "--transactions", "20"};
    String[] all = new String[1 + more.length + fixed.length];
    all[0] = command;
    System.arraycopy(more, 0, all, 1, more.length);
    System.arraycopy(fixed, 0, all, 1 + more.length, fixed.length);
    return Ran.of(all);
  }
}
