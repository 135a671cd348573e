package dev.assay.check;

import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Predicate histories with a certificate: by design, a level holds when the certificate proves it.
 */
class CertificateCheckTest {
  private static Report check(String history, String certificate) throws ParseException {
    History read = Lines.history(history);
    Given given = new Given(Assumption.DEFAULT, Lines.certificate(certificate, read));
    return Assay.check(read, Level.surveyed(), given, Budget.unlimited());
  }

  /** Two transactions each look whether there is a row and insert one of their own. */
  private static final String PHANTOMS =
      """
      {"session":1,"id":"A","ops":[["select",{"where":["<","v",10]},[]],["w","x",1]]}
      {"session":2,"id":"B","ops":[["select",{"where":["<","v",10]},[]],["w","y",2]]}
      """;

  @Test
  void aPhantomTellsSerializableFromRepeatableRead() throws ParseException {
    Report report =
        check(
            PHANTOMS,
            """
            {"commits":["A","B"]}
            {"snapshot":"A","upTo":null}
            {"snapshot":"B","upTo":null}
            """);
    assertThat(types(report)).containsExactly(AnomalyType.G2);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.REPEATABLE_READ)).isTrue();
    assertThat(report.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(report.holds(Level.CAUSAL)).isTrue();
  }

  @Test
  void aRowThatCannotMatchIsNoPhantom() throws ParseException {
    Report report =
        check(
            PHANTOMS.replace("\"x\",1", "\"x\",11"),
            """
            {"commits":["A","B"]}
            {"snapshot":"A","upTo":null}
            {"snapshot":"B","upTo":null}
            """);
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void aResultThatItsVersionSetDoesNotGiveIsAMismatch() throws ParseException {
    Report report =
        check(PHANTOMS, "{\"commits\":[\"A\",\"B\"]}\n{\"snapshot\":\"B\",\"upTo\":\"A\"}\n");
    assertThat(types(report)).contains(AnomalyType.RESULT_SET_MISMATCH);
  }

  @Test
  void aHistoryIsRejectedByItsCertificateEvenIfAnotherOrderWouldDo() throws ParseException {
    String blindWrites =
        """
        {"session":1,"id":"A","ops":[["w","x",1],["w","y",1]]}
        {"session":2,"id":"B","ops":[["w","x",2],["w","y",2]]}
        """;
    Report report =
        check(
            blindWrites,
            "{\"key\":\"x\",\"versions\":[1,2]}\n{\"key\":\"y\",\"versions\":[2,1]}\n");
    assertThat(types(report)).containsExactly(AnomalyType.G0);
    History alone = Lines.history(blindWrites);
    Report without = Assay.check(alone, Level.surveyed(), Budget.unlimited());
    assertThat(without.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void aMinimumDependsOnWhoMayGoBelowIt() throws ParseException {
    String history =
        """
        {"session":1,"id":"L","ops":[["w","x",5],["w","y",7]]}
        {"session":2,"id":"A","ops":[["select",{"select":["min","v"]},5],["w","z",%d]]}
        {"session":3,"id":"B","ops":[["select",{"select":["min","v"]},5],["w","u",%d]]}
        """;
    String certificate =
        """
        {"commits":["L","A","B"]}
        {"snapshot":"A","upTo":"L"}
        {"snapshot":"B","upTo":"L"}
        """;
    assertThat(types(check(history.formatted(8, 9), certificate))).isEmpty();
    assertThat(types(check(history.formatted(3, 4), certificate))).containsExactly(AnomalyType.G2);
  }

  @Test
  void anUpdateThatLooksAtARowWithoutUpdatingItDependsOnItAllTheSame() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"L","ops":[["w","x",1]]}
            {"session":2,"id":"A","ops":[["update",\
            {"where":["<","v",9],"set":{"v":["+","v",20]}},[["x",21]]],["r","y",null]]}
            {"session":3,"id":"B","ops":[["w","y",2],["w","z",3]]}
            """,
            """
            {"key":"x","versions":[1,21]}
            {"commits":["L","B","A"]}
            {"select":"A#0","snapshot":{"upTo":"B"}}
            """);
    assertThat(types(report))
        .containsExactly(AnomalyType.RESULT_SET_MISMATCH, AnomalyType.G_SINGLE_ITEM);
  }

  private static final String INCREMENTS =
      """
      {"assay":1,"metadata":{"columns":"val,ver"}}
      {"session":1,"id":"T0","ops":[["w","x",{"vector":[5,1]}]]}
      {"session":2,"id":"T1","ops":[["update",{"where":["=","k",{"text":"x"}],\
      "set":{"val":["+","val",1],"ver":2}},[["x",{"vector":[%d,2]}]]]]}
      {"session":3,"id":"T2","ops":[["update",{"where":["=","k",{"text":"x"}],\
      "set":{"val":["+","val",1],"ver":3}},[["x",{"vector":[%d,3]}]]]]}
      """;

  @Test
  void anUpdateReadsTheRowsThatItChanges() throws ParseException {
    String certificate =
        """
        {"key":"x","versions":[{"vector":[5,1]},{"vector":[6,2]},{"vector":[%d,3]}]}
        {"select":"T1#0","set":{"x":{"vector":[5,1]}}}
        {"select":"T2#0","set":{"x":{"vector":%s}}}
        """;
    Report lost = check(INCREMENTS.formatted(6, 6), certificate.formatted(6, "[5,1]"));
    assertThat(types(lost))
        .containsExactlyInAnyOrder(AnomalyType.LOST_UPDATE, AnomalyType.G_SINGLE_ITEM);
    assertThat(lost.violated(Level.REPEATABLE_READ)).isTrue();
    assertThat(lost.violated(Level.CURSOR_STABILITY)).isTrue();
    assertThat(lost.violated(Level.UPDATE_ATOMIC)).isTrue();
    assertThat(lost.holds(Level.ADYA_READ_COMMITTED)).isTrue();
    Report kept = check(INCREMENTS.formatted(6, 7), certificate.formatted(7, "[6,2]"));
    assertThat(types(kept)).isEmpty();
    assertThat(kept.holds(Level.SERIALIZABLE)).isTrue();
  }

  /** B writes the row in between; the update may have seen another row of B. */
  private static Report passingOver(String sees) throws ParseException {
    return check(
        """
        {"session":1,"id":"L","ops":[["w","x",5]]}
        {"session":2,"id":"B","ops":[["w","x",9],["w","y",20]]}
        {"session":3,"id":"U","ops":[%s["update",\
        {"where":["<","v",10],"set":{"v":["+","v",1]}},[["x",6]]]]}
        """
            .formatted(sees),
        """
        {"key":"x","versions":[5,9,6]}
        {"key":"y","versions":[20]}
        {"select":"U#%d","set":{"x":5}}
        """
            .formatted(sees.isEmpty() ? 0 : 1));
  }

  @Test
  void anUpdateThatPassesOverAWriteIsNotAtomic() throws ParseException {
    for (String sees : List.of("", "[\"r\",\"y\",20],")) {
      Report report = passingOver(sees);
      assertThat(types(report)).containsExactly(AnomalyType.G_SINGLE_ITEM);
      assertThat(report.violated(Level.REPEATABLE_READ)).isTrue();
      assertThat(report.violated(Level.UPDATE_ATOMIC)).isTrue();
      assertThat(report.holds(Level.CURSOR_STABILITY)).isTrue();
      assertThat(report.holds(Level.READ_ATOMIC)).isEqualTo(sees.isEmpty());
    }
  }

  private static Report reading(String x, String more, String upTo) throws ParseException {
    return check(
        """
        {"session":1,"id":"T0","ops":[["w","x",1]]}
        {"session":2,"id":"T1","ops":[["r","x",%s]%s]}
        """
            .formatted(x, more),
        """
        {"commits":["T0","T1"]}
        {"key":"x","versions":[1]}
        {"snapshot":"T0","upTo":null}
        {"snapshot":"T1","upTo":%s}
        """
            .formatted(upTo));
  }

  @Test
  void aReadThatSawSomethingElseThanItsSnapshotContradictsTheCertificate() throws ParseException {
    for (String more : List.of("", ",[\"select\",{\"where\":[\"=\",\"v\",7]},[]]")) {
      for (Report report : List.of(reading("null", more, "\"T0\""), reading("1", more, "null"))) {
        assertThat(types(report)).containsExactly(AnomalyType.CERTIFICATE_CONTRADICTION);
        assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
        assertThat(report.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
        assertThat(report.violated(Level.READ_ATOMIC)).isTrue();
        assertThat(report.holds(Level.ADYA_READ_COMMITTED)).isTrue();
      }
      for (Report report : List.of(reading("null", more, "null"), reading("1", more, "\"T0\""))) {
        assertThat(types(report)).isEmpty();
        assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
      }
    }
  }

  @Test
  void aSnapshotSaysNothingOfReadsOfOwnWrites() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"id":"T0","ops":[["w","x",1],["w","y",1]]}
            {"session":2,"id":"T1","ops":[["r","x",1],["w","x",2],["r","x",2],\
            ["update",{"where":["=","v",1],"delete":true},[["y",null]]],["r","y",null]]}
            """,
            """
            {"commits":["T0","T1"]}
            {"key":"x","versions":[1,2]}
            {"key":"y","versions":[1,{"by":"T1"}]}
            {"snapshot":"T0","upTo":null}
            {"snapshot":"T1","upTo":"T0"}
            """);
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
  }

  private static final String TRANSFERS =
      """
      {"session":1,"id":"L","ops":[["w","x",5],["w","y",7]]}
      {"session":2,"id":"A","ops":[["select",{"where":["<","v",6]},[["x",5]]],["w","y",2]]}
      {"session":3,"id":"B","ops":[["select",{"where":["<","v",6]},[["x",5],["y",2]]]]}
      """;

  @Test
  void anExpectedSerialOrderThatExplainsAllProvesSerializability() throws ParseException {
    Report report = check(TRANSFERS, "{\"order\":[\"L\",\"A\",\"B\"]}");
    assertThat(types(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void theFirstDivergenceFromAnExpectedOrderNamesTheRow() throws ParseException {
    Report report = check(TRANSFERS, "{\"order\":[\"L\",\"B\",\"A\"]}");
    assertThat(types(report)).contains(AnomalyType.CERTIFICATE_CONTRADICTION);
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void timestampsDecideBySweeping() throws ParseException {
    String stamped =
        """
        {"session":1,"id":"L","snapshot":0,"commitTs":1,"ops":[["w","x",5],["w","y",7]]}
        {"session":2,"id":"A","snapshot":1,"commitTs":3,\
        "ops":[["select",{"where":["<","v",9]},[["x",5],["y",7]]],["w","x",11]]}
        {"session":3,"id":"B","snapshot":%d,"commitTs":4,\
        "ops":[["select",{"where":["<","v",9]},[["x",5],["y",7]]],["w","y",12]]}
        """;
    Given timestamps =
        new Given(
            java.util.Set.of(Assumption.TIMESTAMPS), dev.assay.history.VersionCertificate.NONE);
    History skewed = Lines.history(stamped.formatted(1));
    Report snapshot = Assay.check(skewed, Level.surveyed(), timestamps, Budget.unlimited());
    assertThat(snapshot.holds(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(snapshot.holds(Level.SERIALIZABLE)).isFalse();

    History stale = Lines.history(stamped.formatted(3));
    Report late = Assay.check(stale, Level.surveyed(), timestamps, Budget.unlimited());
    assertThat(late.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void anEmptyCertificateSaysNothing() throws ParseException {
    Report report = check(TRANSFERS, "");
    assertThat(report.notes()).noneMatch(note -> note.contains("the version order"));
  }

  @Test
  void aSerialOrderMayNameAnIncrementOfUnknownOutcomeThatWasSeen() throws ParseException {
    String counter =
        """
        {"session":1,"id":"A","outcome":"indeterminate","ops":[["inc","c",2]]}
        {"session":2,"id":"B","ops":[["rc","c",2]]}
        """;
    assertThat(check(counter, "{\"order\":[\"A\",\"B\"]}").holds(Level.SERIALIZABLE)).isTrue();
    assertThat(types(check(counter, "{\"order\":[\"B\",\"A\"]}")))
        .containsExactly(AnomalyType.CERTIFICATE_CONTRADICTION);
    String unseen = counter.replace("\"rc\",\"c\",2", "\"rc\",\"c\",0");
    assertThat(types(check(unseen, "{\"order\":[\"A\",\"B\"]}")))
        .containsExactly(AnomalyType.CERTIFICATE_CONTRADICTION);
    assertThat(check(unseen, "{\"order\":[\"B\"]}").holds(Level.SERIALIZABLE)).isTrue();
  }
}
