package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Given;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Histories that tell definitions of levels apart which are easily confused. */
class DefinitionsTest {
  private static History history(String name) throws Exception {
    return Assay.read(path(name));
  }

  private static Path path(String name) throws URISyntaxException {
    return Path.of(
        DefinitionsTest.class.getResource("/dev/assay/check/definitions/" + name).toURI());
  }

  private static Report check(History history) {
    return Verifier.sample(
        Assay.check(history, Level.surveyed(), Budget.unlimited()), Given.NOTHING);
  }

  @ParameterizedTest
  @CsvSource({
    "wfr-one-transaction.jsonl, writes-follow-reads causal, update-atomic pram",
    "wfr-b.jsonl, writes-follow-reads causal, update-atomic pram",
    "cursor-stability-PL-CS.jsonl, consistent-view read-your-writes, cursor-stability",
    "cs-nonrepeatable.edn, cut-isolation repeatable-read, cursor-stability read-committed",
    "future-read-rc.edn, adya-read-committed cursor-stability, read-uncommitted",
    "gsingle-unobserved.edn, consistent-view repeatable-read, causal cursor-stability",
    "process-info.edn, strong-session-adya-read-committed causal, serializable",
  })
  void aHistoryHasTheLevelsOfTheDefinitions(String name, String violated, String holding)
      throws Exception {
    History history = history(name);
    Report report = check(history);
    Set<Level> oracle = HistoryOracle.holding(history).orElseThrow();
    for (Level level : Level.surveyed()) {
      if (history.hasTimes() || !level.needsRealTime()) {
        String expected = oracle.contains(level) ? "holds" : "violated";
        assertThat(report.verdict(level).id()).as("%s of %s", level, name).isEqualTo(expected);
      }
    }
    assertThat(report.verdicts().keySet().stream().filter(report::violated))
        .containsAll(levels(violated));
    assertThat(report.verdicts().keySet().stream().filter(report::holds))
        .containsAll(levels(holding));
  }

  /** So few choices of writers that brute force decides them. */
  @ParameterizedTest
  @CsvSource({"unknown-ambiguous-5txns.jsonl", "unknown-serializable.jsonl"})
  void noLevelOfATinyHistoryStaysOpen(String name) throws Exception {
    History history = history(name);
    Report report = check(history);
    Set<Level> oracle = HistoryOracle.holding(history).orElseThrow();
    for (Level level : Level.surveyed()) {
      String expected = oracle.contains(level) ? "holds" : "violated";
      assertThat(report.verdict(level).id()).as("%s of %s", level, name).isEqualTo(expected);
    }
  }

  private static List<Level> levels(String names) {
    return Arrays.stream(names.split(" ")).map(name -> Level.find(name).orElseThrow()).toList();
  }

  @Test
  void cursorStabilityHasNoNameOfAdya() {
    assertThat(Level.find("PL-CS")).isEmpty();
    assertThat(AnomalyType.NON_REPEATABLE_READ.forbiddenBy())
        .doesNotContain(Level.CURSOR_STABILITY)
        .contains(Level.REPEATABLE_READ, Level.UPDATE_ATOMIC);
  }

  @Test
  void noReadPrecedesItsWriteWhereOnlyCommittedValuesAreRead() {
    assertThat(AnomalyType.FUTURE_READ.forbiddenBy())
        .containsAll(Level.ADYA_READ_COMMITTED.andStronger())
        .doesNotContain(Level.STRONG_READ_UNCOMMITTED, Level.CUT_ISOLATION);
  }

  /** Of appends nobody saw every order is tried; each leaves a cycle with one anti-dependency. */
  @Test
  void unobservedAppendsOfAListAreInSomeOrder() throws Exception {
    assertThat(check(history("gsingle-unobserved.edn")).anomalies())
        .extracting(Anomaly::type)
        .contains(AnomalyType.G_SINGLE_ITEM, AnomalyType.G2_ITEM);
  }

  /** A transaction of unknown outcome that was read has its place in its session. */
  @Test
  void anObservedAppendOfUnknownOutcomeFollowsItsSession() throws Exception {
    assertThat(check(history("process-info.edn")).anomalies())
        .extracting(Anomaly::type)
        .contains(AnomalyType.CYCLIC_CAUSALITY);
  }

  @ParameterizedTest
  @CsvSource({"wfr-one-transaction.jsonl", "wfr-b.jsonl"})
  void aWriteFollowsTheReadsOfItsOwnTransaction(String name) throws Exception {
    Report report =
        Verifier.sample(
            Assay.check(history(name), Set.of(Level.WRITES_FOLLOW_READS), Budget.unlimited()),
            Given.NOTHING);
    assertThat(report.violated(Level.WRITES_FOLLOW_READS)).isTrue();
    assertThat(report.anomalies()).isNotEmpty();
  }
}
