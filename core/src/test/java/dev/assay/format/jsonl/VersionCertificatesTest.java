package dev.assay.format.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionCertificatesTest {
  /** T0: x=1, T1: x=2 and l+1, T2 (aborted): x=3, T3: x=4, T4: x=4, T5: s+1. */
  private static History history() {
    HistoryBuilder b = new HistoryBuilder();
    begin(b, Outcome.COMMITTED);
    b.write("x", 1);
    begin(b, Outcome.COMMITTED);
    b.write("x", 2);
    b.append("l", 1);
    begin(b, Outcome.ABORTED);
    b.write("x", 3);
    begin(b, Outcome.COMMITTED);
    b.write("x", 4);
    begin(b, Outcome.COMMITTED);
    b.write("x", 4);
    begin(b, Outcome.COMMITTED);
    b.add("s", 1);
    return b.build();
  }

  private static void begin(HistoryBuilder b, Outcome outcome) {
    int txn = b.begin(b.session("s" + b.transactionCount()), outcome);
    b.id(txn, b.scalars().of("T" + txn));
  }

  private static VersionCertificate read(String text) throws ParseException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return VersionCertificates.read(Input.of("c.jsonl", bytes), history());
  }

  @Test
  void versionsPairsAndOrdersAreReadAsOperationsAndTransactions() throws ParseException {
    VersionCertificate certificate =
        read(
            """
            {"key":"x","versions":[null,2,1]}

            {"key":"x","pairs":[[1,2],[2,1],[null,2]]}
            {"key":"l","versions":[1]}
            {"order":["T1","T0"]}
            """);
    assertThat(certificate.chains())
        .containsExactly(
            new VersionCertificate.Chain(0, List.of(VersionCertificate.INITIAL, 1, 0), true),
            new VersionCertificate.Chain(0, List.of(0, 1, 0), false),
            new VersionCertificate.Chain(0, List.of(VersionCertificate.INITIAL, 1), false),
            new VersionCertificate.Chain(1, List.of(2), true));
    assertThat(certificate.order()).containsExactly(1, 0);
  }

  @Test
  void whatIsWrittenIsReadAsTheSame() throws ParseException {
    String history =
        """
        {"session":1,"id":"A","ops":[["w","x",1],["w","x",2],["append","l",1],["append","l",2]]}
        {"session":1,"ops":[["w","x",null],["append","l",3]]}
        {"session":2,"id":7,"ops":[["select",{},[["x",2]]],["select",{},[]],\
        ["w",5,{"keyword":"k"}]]}
        {"session":3,"id":"<&\\"","ops":[["w",5,{"vector":[1,2]}],["select",{},[]]]}
        """;
    String lines =
        """
        {"key":"x","versions":[2,{"by":"1/#2"}]}
        {"key":"l","pairs":[[1,2],[2,3],[1,3]]}
        {"key":5,"pairs":[[null,{"keyword":"k"}]]}
        {"order":["A",7]}
        {"commits":["1/#2","A","<&\\""]}
        {"select":"7#0","set":{"x":2,"5":{"vector":[1,2]}}}
        {"select":"7#1","snapshot":{"upTo":"A","except":["1/#2"],"also":["<&\\""]}}
        {"snapshot":"<&\\"","upTo":null}
        """;
    History read = Formats.read(Input.of("h.jsonl", history.getBytes(StandardCharsets.UTF_8)));
    VersionCertificate first = certificate(lines, read);
    VersionCertificate second = certificate(CertificateText.of(first, read), read);
    assertThat(second.chains()).isEqualTo(first.chains());
    assertThat(second.order()).isEqualTo(first.order());
    assertThat(second.commits()).isEqualTo(first.commits());
    assertThat(second.ofOperation()).isEqualTo(first.ofOperation()).hasSize(2);
    assertThat(second.ofTransaction()).isEqualTo(first.ofTransaction()).hasSize(1);
  }

  private static VersionCertificate certificate(String lines, History history)
      throws ParseException {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    return VersionCertificates.read(Input.of("c.jsonl", bytes), history);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"key\":\"y\",\"versions\":[1]} | no key y",
        "{\"key\":\"x\",\"versions\":[1,9]} | no transaction wrote x = 9",
        "{\"key\":\"x\",\"versions\":[1,3]} | aborted transaction only",
        "{\"key\":\"x\",\"versions\":[1,4]} | x = 4 was written more than once",
        "{\"key\":\"x\",\"versions\":[1,1]} | x = 1 is listed twice",
        "{\"key\":\"s\",\"versions\":[1]} | s is neither a register nor a list",
        "{\"order\":[\"T9\"]} | no transaction T9",
        "{\"order\":[\"T1\",\"T1\"]} | transaction T1 is listed twice",
        "{\"key\":\"x\"} | the end of the object",
        "{\"versions\":[1]} | the end of the object",
        "{\"key\":\"x\",\"pairs\":[[1,2,1]]} | the end of the array",
        "{\"key\":\"x\",\"versions\":1} | 1",
        "{\"key\":\"x\",\"versions\":[1,2] | the line ends within its object",
        "[] | an array",
        "{} | the end of the object",
        "{\"what\":1} | 1",
        "{\"key\":\"x\",\"versions\":[1],\"upTo\":\"T1\"} | the end of the object",
        "{\"snapshot\":\"T1\"} | the end of the object",
        "{\"snapshot\":{\"upTo\":\"T1\"}} | the end of the object",
        "{\"select\":\"T1#0\",\"snapshot\":\"T0\"} | the end of the object",
        "{\"select\":\"T1#0\",\"snapshot\":\"T0\",\"upTo\":\"T0\"} | the end of the object",
        "{\"select\":\"T1#0\",\"snapshot\":{}} | the end of the object",
        "{\"select\":\"T1#0\",\"snapshot\":{\"except\":[\"T0\"]}} | the end of the object",
        "{\"snapshot\":\"T1\",\"upTo\":null,\"except\":[\"T0\",\"T0\"]} | T0 is listed twice",
        "{\"snapshot\":\"T1\",\"upTo\":null,\"also\":[\"T0\",\"T0\"]} | T0 is listed twice",
        "{\"snapshot\":\"T1\",\"upTo\":null,\"except\":[\"T0\"],\"also\":[\"T0\"]} | T0 is listed",
      })
  void anythingElseIsOneErrorWithItsLine(String line, String message) {
    ParseException e = catchThrowableOfType(ParseException.class, () -> read("\n" + line + "\n"));
    assertThat(e.line()).isEqualTo(2);
    assertThat(e.getMessage()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1,2]", "[2,1]", "[ {\"by\":\"T0\"} ]"})
  void allVersionsOfAKeyAreGivenOnce(String again) {
    for (String first : List.of("[1,2]", "[{\"by\":\"T0\"}]")) {
      String text =
          "{\"key\":\"x\",\"versions\":" + first + "}\n{\"key\":\"x\",\"versions\":" + again;
      ParseException e = catchThrowableOfType(ParseException.class, () -> read(text + "}\n"));
      assertThat(e.line()).isEqualTo(2);
      assertThat(e.getMessage()).isEqualTo("the versions of x are given twice");
    }
  }

  @Test
  void aVersionSetNamesAPredicateOperationOfTheHistory() {
    ParseException e =
        catchThrowableOfType(
            ParseException.class, () -> read("{\"select\":\"T1#0\",\"set\":{\"x\":1}}"));
    assertThat(e.getMessage()).contains("no predicate operation T1#0");
  }

  @Test
  void versionSetsAndSnapshotsBelongToOperationsAndTransactions() throws ParseException {
    HistoryBuilder b = new HistoryBuilder();
    begin(b, Outcome.COMMITTED);
    b.write("x", 1);
    begin(b, Outcome.COMMITTED);
    b.read("x", 1);
    b.predicate(OpKind.SELECT, "{}");
    b.row(b.scalars().of("x"), b.scalars().of(1L));
    b.predicate(OpKind.SELECT, "{}");
    byte[] text =
        """
        {"select":"T1#1","set":{"x":{"by":"T0"}}}
        {"snapshot":"T1","upTo":"T0","except":["T0"]}
        {"commits":["T0","T1"]}
        """
            .getBytes(StandardCharsets.UTF_8);
    VersionCertificate certificate = VersionCertificates.read(Input.of("c", text), b.build());
    assertThat(certificate.versionSet(1, 2)).isEqualTo(new VersionSet.Listed(Map.of(0, 0)));
    assertThat(certificate.versionSet(1, 4))
        .isEqualTo(new VersionSet.Snapshot(1, List.of(0), List.of()));
  }

  @Test
  void aSnapshotNeedsTheOrderOfCommits() {
    ParseException e =
        catchThrowableOfType(
            ParseException.class, () -> read("{\"snapshot\":\"T1\",\"upTo\":\"T0\"}"));
    assertThat(e.getMessage()).contains("T0 is not among the commits");
  }
}
