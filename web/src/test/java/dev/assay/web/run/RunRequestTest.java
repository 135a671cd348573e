package dev.assay.web.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunRequestTest {
  @Test
  void anEmptyFormIsOneRunOnTheStandardDatabaseAtItsStrongestLevel() {
    RunRequest request = request();
    assertThat(request.problems()).isEmpty();
    assertThat(request.runs()).hasSize(1);
    assertThat(request.runs().get(0).fields())
        .containsEntry("database", "h2")
        .containsEntry("isolation", "serializable")
        .containsEntry("checkers", "assay");
    assertThat(CommandLines.of(request).get(0)).startsWith("assay run h2 --isolation=serializable");
  }

  @Test
  void listsMakeEveryCombination() {
    RunRequest request =
        request("isolation", "all", "sessions", "5, 10,20", "transactions", "10", "keys", "3");
    assertThat(request.varied()).containsExactly("isolation", "sessions");
    assertThat(request.runs()).hasSize(5 * 3);
    assertThat(request.runs().get(1).fields()).containsEntry("sessions", "10");
    assertThat(CommandLines.of(request)).hasSize(1);
    assertThat(CommandLines.of(request).get(0)).contains("--sessions=5,10,20");
  }

  @Test
  void anyWorkloadParameterMayBeAListOfOneCommand() {
    RunRequest request = request("seed", "1,2,3", "checkers", "assay,strong-levels");
    assertThat(request.runs()).hasSize(3);
    assertThat(words(request)).hasSize(2).first().asString().contains("--seed=1,2,3");
    assertThat(CommandLines.of(request).get(1)).contains("--checker=strong-levels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://localhost/test",
        "jdbc:postgresql://127.0.0.1:5432/test?sslmode=require&connectTimeout=5",
        "jdbc:postgresql://[::1]:5432/test",
        "jdbc:postgresql://a,b:5433/test",
        "jdbc:mysql://db.example:3306/test",
        "jdbc:mariadb://db/test?socketTimeout=1000",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1",
        "jdbc:h2:tcp://localhost:9092/test",
        "jdbc:hsqldb:hsql://localhost/test;hsqldb.tx=mvcc",
        "jdbc:derby://localhost:1527/test;create=true"
      })
  void plainUrlsAreTaken(String url) {
    RunRequest request = request("source", "jdbc", "url", url, "user", "app");
    assertThat(request.problems()).isEmpty();
    assertThat(request.runs().get(0).fields()).containsEntry("url", url);
  }

  @Test
  void aUrlMustBeOneOfTheDatabaseThatWasChosen() {
    String url = "jdbc:mysql://db/test";
    assertThat(request("source", "jdbc", "url", url, "database", "postgres").problems())
        .containsKey("url");
    assertThat(request("source", "jdbc", "url", url, "database", "tidb").problems()).isEmpty();
  }

  @Test
  void thePasswordIsInNoConfigurationAndNoCommand() {
    RunRequest request =
        request("source", "jdbc", "url", "jdbc:mysql://db/test", "password", "hunter2");
    assertThat(request.problems()).isEmpty();
    assertThat(request.runs().toString() + CommandLines.of(request)).doesNotContain("hunter2");
  }

  @Test
  void everyPresetIsARequestWithoutProblems() {
    for (Presets.Preset preset : Presets.all()) {
      RunRequest request = RunRequest.of(preset.fields(), List.of());
      assertThat(request.problems()).as(preset.id()).isEmpty();
      assertThat(request.runs()).as(preset.id()).isNotEmpty();
    }
  }

  @Test
  void faultsAndTheWhiteBoxAreOptionsOfTheSameCommand() {
    RunRequest request =
        request(
            "database",
            "postgres",
            "faults",
            "kill,pause",
            "faults-every",
            "3s",
            "white-box",
            "yes",
            "for-update",
            "yes",
            "writes",
            "update",
            "infer",
            "sequential-keys,timestamps");
    assertThat(request.problems()).isEmpty();
    assertThat(CommandLines.of(request)).hasSize(1);
    assertThat(words(request).get(0))
        .startsWith("assay run postgres ")
        .contains(" --faults=kill,pause --faults-every=3s")
        .contains(" --white-box ")
        .contains(" --for-update ")
        .contains(" --writes=update ")
        .contains(" --infer=sequential-keys,timestamps");
  }

  @Test
  void anomaliesAndThreadsAreOptionsOfTheSameCommand() {
    RunRequest request = request("anomaly", "G2-item,lost-update", "threads", "2");
    assertThat(request.problems()).isEmpty();
    assertThat(words(request).get(0)).contains("--anomaly=G2-item,lost-update --threads=2");
    assertThat(request("anomaly", "G7").problems()).containsOnlyKeys("anomaly");
    assertThat(request("threads", "0").problems()).containsOnlyKeys("threads");
  }

  @Test
  void onlyServersThatAssayStartsFailAndOnlyKnownLogsAreRead() {
    assertThat(request("database", "h2", "faults", "kill").problems()).containsKey("faults");
    assertThat(request("database", "postgres", "faults", "burn").problems()).containsKey("faults");
    assertThat(request("database", "h2", "white-box", "yes").problems()).containsKey("white-box");
    String url = "jdbc:postgresql://db/test";
    assertThat(request("source", "jdbc", "url", url, "faults", "kill").problems())
        .containsKey("faults");
    assertThat(request("source", "jdbc", "url", url, "white-box", "yes").problems()).isEmpty();
  }

  @Test
  void otherCheckersOfAWhiteBoxRunHaveItsCertificate() {
    RunRequest request =
        request("database", "postgres", "white-box", "yes", "checkers", "assay,known-orders");
    assertThat(words(request))
        .hasSize(3)
        .last()
        .isEqualTo(
            "assay check history.assay --version-order=history.assay.certificate.jsonl"
                + " --checker=known-orders");
    assertThat(words(request).get(0)).startsWith("assay record postgres ").contains("--white-box");
  }

  @Test
  void sharesRequirePredicates() {
    String shares = "insert=50,minmax=50";
    assertThat(request("workload", "predicates", "shares", shares).problems()).isEmpty();
    assertThat(request("workload", "mixed", "shares", shares).problems()).containsKey("shares");
    assertThat(request("workload", "predicates", "shares", "x=1").problems()).containsKey("shares");
  }

  @Test
  void aCertificateThatWasSentGoesWithItsHistory() {
    RunRequest request =
        request(
            "source",
            "upload",
            "upload",
            "an-id",
            "label",
            "a.edn",
            "version-order",
            "another",
            "certificate-label",
            "a log.jsonl",
            "format",
            "jepsen-edn");
    assertThat(words(request))
        .containsExactly("assay check a.edn --format=jepsen-edn '--version-order=a log.jsonl'");
  }

  private static List<String> words(RunRequest request) {
    return CommandLines.of(request).stream().map(line -> line.replace(" \\\n ", "")).toList();
  }

  @Test
  void whatOnlyTheCommandLineTakesIsIgnored() {
    RunRequest request =
        request("server-options", "x=y", "password-env", "HOME", "file", "/etc/passwd");
    assertThat(request.problems()).isEmpty();
    assertThat(request.runs().get(0).fields())
        .doesNotContainKeys("server-options", "password-env", "file");
  }

  @Test
  void everyProblemIsNamedAtItsField() {
    assertThat(
            request("source", "synthetic", "workload", "tpcc", "keys", "0", "timeout", "soon")
                .problems())
        .containsOnlyKeys("workload", "keys", "timeout");
    assertThat(request("level", "causal", "expect", "causal").problems())
        .containsEntry("expect", "requires --level all");
    assertThat(
            request("sessions", "1,2,3,4,5,6,7,8,9,10", "keys", "1,2,3", "seed", list(20))
                .problems())
        .containsOnlyKeys("sessions");
    assertThat(request("source", "elsewhere").problems()).containsOnlyKeys("source");
  }

  private static String list(int count) {
    return String.join(",", java.util.Collections.nCopies(count, "1"));
  }

  @Test
  void aFileNameIsQuotedForTheShell() {
    RunRequest request =
        request("source", "upload", "upload", "some-id", "label", "a'; rm -rf x.edn");
    assertThat(CommandLines.of(request).get(0)).contains("'a'\\''; rm -rf x.edn'");
  }

  private static RunRequest request(String... fields) {
    Map<String, String> form = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      form.put(fields[i], fields[i + 1]);
    }
    return RunRequest.of(form, List.of());
  }
}
