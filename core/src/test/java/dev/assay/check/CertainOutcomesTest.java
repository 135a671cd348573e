package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a certificate says of a transaction counts where its client never learned its fate. */
class CertainOutcomesTest {
  /** Write skew between A and B, if A counts; the predicate of both matches no row ever. */
  private static final String SKEW =
      """
      {"session":1,"id":"A","outcome":"OUTCOME","snapshot":1,"commitTs":2,"position":0,"ops":[\
      ["r","x",null],["w","y",2],["select",{"where":["<","v",0]},[]]]}
      {"session":2,"id":"B","snapshot":1,"commitTs":3,"position":1,"ops":[\
      ["r","y",null],["w","x",3],["select",{"where":["<","v",0]},[]]]}
      """;

  private static Report check(String lines, String certificate, Assumption... assumptions)
      throws ParseException {
    History history = Lines.history(lines);
    VersionCertificate given =
        certificate.isEmpty()
            ? VersionCertificate.NONE
            : Lines.certificate(certificate.replace("; ", "\n"), history);
    return Assay.check(
        history, Level.surveyed(), new Given(Set.of(assumptions), given), Budget.unlimited());
  }

  private static String skew(String outcome) {
    return SKEW.replace("OUTCOME", outcome);
  }

  private static final String NAMING =
      """
      {"key":"y","versions":[2]}
      {"key":"y","versions":[null,2]}
      {"key":"y","versions":[{"by":"A"}]}
      {"key":"y","pairs":[[null,2]]}
      {"order":["A","B"]}
      {"order":["B","A"]}
      {"order":["A"]}
      {"commits":["A"]}
      {"commits":["B","A"]}
      {"commits":["A","B"]}; {"snapshot":"B","upTo":"A"}
      {"commits":["A","B"]}; {"select":"B#2","snapshot":{"upTo":null,"also":["A"]}}
      {"commits":["B"]}; {"snapshot":"B","upTo":null,"also":["A"]}
      {"select":"B#2","set":{"y":2}}
      {"select":"B#2","set":{"y":{"by":"A"}}}
      """;

  @Test
  void whoIsNamedAsCommittedCountsAsCommitted() throws ParseException {
    for (String certificate : NAMING.lines().toList()) {
      Report unknown = check(skew("indeterminate"), certificate);
      Report committed = check(skew("committed"), certificate);
      assertThat(unknown.verdicts()).as(certificate).isEqualTo(committed.verdicts());
      assertThat(unknown.violated(Level.SERIALIZABLE)).as(certificate).isTrue();
      assertThat(unknown.notes())
          .as(certificate)
          .anyMatch(note -> note.contains("1 transaction of unknown outcome counts as committed"));
      assertThat(committed.notes()).noneMatch(note -> note.contains("unknown outcome"));
    }
  }

  @Test
  void whoAbortedMayNotBeNamedAsCommitted() {
    for (String certificate : NAMING.lines().toList()) {
      assertThatThrownBy(() -> check(skew("aborted"), certificate))
          .as(certificate)
          .isInstanceOf(ParseException.class)
          .hasMessageContaining("aborted");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"snapshot\":\"A\",\"upTo\":null}",
        "{\"select\":\"A#2\",\"snapshot\":{\"upTo\":null}}",
        "{\"select\":\"A#2\",\"set\":{\"x\":3}}",
        "{\"commits\":[\"B\"]}; {\"snapshot\":\"B\",\"upTo\":null,\"except\":[\"A\"]}",
        "{\"commits\":[\"B\"]}",
        "{\"order\":[\"B\"]}"
      })
  void whoIsNamedOtherwiseOrNotAtAllMayHaveAborted(String certificate) throws ParseException {
    Report unknown = check(skew("indeterminate"), certificate);
    assertThat(unknown.violated(Level.SERIALIZABLE)).isFalse();
    assertThat(unknown.notes()).noneMatch(note -> note.contains("unknown outcome"));
    assertThat(check(skew("aborted"), certificate).violated(Level.SERIALIZABLE)).isFalse();
    assertThat(check(skew("committed"), certificate).violated(Level.SERIALIZABLE)).isTrue();
  }

  /** A version in a version set of its own writer says nothing of what became of that. */
  @Test
  void anOwnVersionIsNoWitness() throws ParseException {
    String own = "{\"select\":\"A#2\",\"set\":{\"y\":2}}";
    assertThat(check(skew("indeterminate"), own).violated(Level.SERIALIZABLE)).isFalse();
  }

  /** C is seen by A, and A by B, in version sets alone. */
  @Test
  void whatWasSeenBySomebodyWhoCountsCountsInTurn() throws ParseException {
    String third =
        "{\"session\":3,\"id\":\"C\",\"outcome\":\"indeterminate\",\"ops\":[[\"w\",\"z\",4]]}\n";
    String seen = "{\"select\":\"A#2\",\"set\":{\"z\":4}}";
    String both = seen + "; {\"select\":\"B#2\",\"set\":{\"y\":2}}";
    assertThat(check(skew("indeterminate") + third, seen).notes())
        .noneMatch(note -> note.contains("unknown outcome"));
    assertThat(check(skew("indeterminate") + third, both).notes())
        .anyMatch(note -> note.contains("2 transactions of unknown outcome count as committed"));
  }

  @ParameterizedTest
  @CsvSource({"TIMESTAMPS", "TRANSACTION_ORDER"})
  void soDoesAPlaceInAnOrderOfTheHistoryThatTheUserGoesBy(Assumption assumption)
      throws ParseException {
    assertThat(check(skew("indeterminate"), "").holds(Level.SERIALIZABLE)).isTrue();
    assertThat(check(skew("indeterminate"), "", assumption).verdicts())
        .isEqualTo(check(skew("committed"), "", assumption).verdicts());
    assertThat(check(skew("indeterminate"), "", assumption).violated(Level.SERIALIZABLE)).isTrue();
    // An aborted transaction has no place in it, whatever stamps it got.
    assertThat(check(skew("aborted"), "", assumption).holds(Level.SERIALIZABLE)).isTrue();
  }

  // ---- the reproductions

  private static final String MISSED =
      """
      {"assay":1,"initial":null}
      {"session":1,"id":1,"ops":[["w","x",1]]}
      {"session":2,"id":2,"outcome":"indeterminate","ops":[["w","x",2]]}
      {"session":3,"id":3,"ops":[READ]}
      """;

  private static final List<String> SEEN =
      List.of(
          "{\"order\":[\"1\",\"2\",\"3\"]}",
          "{\"key\":\"x\",\"versions\":[1,2]}; {\"commits\":[\"1\",\"2\",\"3\"]};"
              + " {\"snapshot\":\"3\",\"upTo\":\"2\"}");

  @ParameterizedTest
  @ValueSource(
      strings = {"[\"r\",\"x\",1]", "[\"select\",{\"where\":[\">\",\"v\",0]},[[\"x\",1]]]"})
  void aReadThatMissesWhatItsSnapshotHasIsWrong(String read) throws ParseException {
    String missed = MISSED.replace("READ", read);
    for (String certificate : SEEN) {
      Report report = check(missed, certificate);
      assertThat(report.violated(Level.SERIALIZABLE)).as(certificate).isTrue();
      assertThat(report.verdicts())
          .as(certificate)
          .isEqualTo(check(missed.replace("indeterminate", "committed"), certificate).verdicts());
    }
    assertThat(check(missed, "").violated(Level.SERIALIZABLE)).isFalse();
  }

  @Test
  void reportsShowTheOutcomeThatWasRecorded() throws ParseException {
    Report report = check(skew("indeterminate"), "{\"commits\":[\"A\",\"B\"]}");
    assertThat(report.history().isCommitted(0)).isFalse();
  }

  /** When the client gave up says nothing of when the commit took effect. */
  @Test
  void aCommitThatNobodyAcknowledgedMayTakeEffectLate() throws ParseException {
    String stale =
        """
        {"session":1,"id":"A","outcome":"indeterminate","start":1,"end":2,"ops":[["w","x",1]]}
        {"session":2,"id":"B","start":3,"end":4,"ops":[["r","x",null]]}
        """;
    String commits = "{\"commits\":[\"A\"]}";
    assertThat(check(stale, commits).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    String acknowledged = stale.replace("indeterminate", "committed");
    assertThat(check(acknowledged, commits).violated(Level.STRICT_SERIALIZABLE)).isTrue();
    // Nor was it promised to be there at the end.
    String list =
        """
        {"assay":1,"metadata":{"final-session":"2"}}
        {"session":1,"id":"A","outcome":"indeterminate","ops":[["append","l",1]]}
        {"session":2,"id":"B","ops":[["r","l",[]]]}
        """;
    assertThat(Lines.types(check(list, commits))).doesNotContain(AnomalyType.LOST_WRITE);
  }

  @Test
  void openConstraintsCountThoseThatTheCertificateNames() throws ParseException {
    History history = Lines.history(MISSED.replace("READ", "[\"r\",\"x\",1]"));
    Given given =
        new Given(Set.of(), Lines.certificate("{\"commits\":[\"1\",\"2\",\"3\"]}", history));
    List<Level> levels = List.of(Level.SERIALIZABLE);
    assertThat(OpenConstraints.count(history, given, levels, Budget.unlimited()).get(0).pairs())
        .isEqualTo(1);
    assertThat(
            OpenConstraints.count(history, Given.NOTHING, levels, Budget.unlimited())
                .get(0)
                .pairs())
        .isZero();
  }
}
