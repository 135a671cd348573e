package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JepsenJsonTest {
  private static final JepsenJson FORMAT = new JepsenJson();

  private static final String PAIR =
      """
      {"index":0,"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r","x",null]]}
      {"index":1,"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r","x",[1]]]}
      """;

  private static History read(String text) throws ParseException {
    return Written.read(FORMAT, "h.json", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void objectsALineAndInAnArrayAreTheSame() throws ParseException {
    for (String text :
        List.of(
            PAIR,
            "[" + PAIR.replace("}\n{", "},\n{") + "]",
            "\uFEFF" + PAIR.replace("\n", "\r\n"),
            PAIR.replaceAll("\"(index|type|process|f|value|ok|invoke|txn|r|append)\"", "\":$1\""),
            PAIR.replace("{", "{\"other\":{\"a\":[{}]},"))) {
      History h = read(text);
      assertThat(Written.text(h)).isEqualTo("session 0\n  committed, append x 1, read x -> [1]\n");
      assertThat(h.start(0)).isEqualTo(0);
      assertThat(h.end(0)).isEqualTo(1);
      assertThat(h.position(0)).isEqualTo(2);
      assertThat(h.ownId(0)).isEqualTo(1L);
    }
  }

  @Test
  void valuesOfEveryKindKeepTheirIdentity() throws ParseException {
    String values =
        "[\"w\",0,1],[\"w\",0,12345678901234567890],[\"w\",0,1.50],[\"w\",0,\":k\"],"
            + "[\"w\",0,\"a b\"],[\"w\",0,[1,[null]]],[\"w\",0,true],"
            + "[\"w\",0,null],[\"r\",0],[\"w\",0,\": x\"]";
    History h = read("{\"type\":\"ok\",\"process\":1,\"value\":[" + values + "]}");
    assertThat(Written.text(h))
        .isEqualTo(
            "session 1\n  committed, write 0 1, write 0 12345678901234567890, write 0 1.5,"
                + " write 0 :k, write 0 a b, write 0 [1, [null]], write 0 true, write 0 nil,"
                + " read 0 -> nil, write 0 : x\n");
    assertThat(h.operation(3).value()).isEqualTo(new dev.assay.history.Keyword("k"));
  }

  @Test
  void errorsAndNemesesAreKeptApart() throws ParseException {
    History h =
        read(
            """
            {"type":"info","process":"nemesis","f":"start","value":{"a":1}}
            {"type":"fail","process":4,"value":[],\
             "error":["conflict",{"at":[1e999999999999, null],"b":"\\n"}, 1]}
            {"type":"info","process":5,"value":[["w",1,2]],"error":"gone"}
            """);
    assertThat(h.error(0))
        .isEqualTo("[\"conflict\",{\"at\":[1e999999999999,null],\"b\":\"\\n\"},1]");
    assertThat(h.error(1)).isEqualTo("gone");
    assertThat(h.metadata())
        .containsEntry("note.skipped", "left out 1 operation of non-clients: nemesis");
  }

  @Test
  void historiesOfElleAreRecognisedAndRead() throws IOException, ParseException {
    Path cases = Path.of("..", "..", "shared", "corpus", "elle", "cases.jsonl.gz");
    if (!Files.exists(cases)) {
      return;
    }
    int read = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(cases)), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int from = line.indexOf("\"history\": ") + 11;
        String history = line.substring(from, line.indexOf("], \"expected\"", from) + 1);
        boolean transactions = !history.matches(".*\"(rp|insert|delete|init)\".*");
        if (transactions && history.contains("\"type\"")) {
          History h = Formats.read(Input.of("case", history.getBytes(StandardCharsets.UTF_8)));
          assertThat(h.origin().format()).isEqualTo("jepsen-json");
          read++;
        }
      }
    }
    assertThat(read).isGreaterThan(700);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"session\":\"3\",\"outcome\":\"committed\",\"ops\":[[\"r\",\"x\",1]]}",
        "{\"assay\":1,\"type\":\"history\"}",
        "{\"value\": [[\"w\", 1, 2, true]]}",
        "{:type :ok}",
        "[{\"type\":\"commit\"}]",
        "[]",
        "r(1,2,3,4)",
        "{",
        ""
      })
  void otherFormatsAreNotClaimed(String text) throws IOException, ParseException {
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThat(FORMAT.recognises(input)).isFalse();
  }

  @Test
  void aFirstOperationLongerThanTheHeadIsRecognised() throws IOException, ParseException {
    String list = "1,".repeat(100_000) + "1";
    String text =
        "{\"process\":0,\"value\":[[\"r\",1,[" + list + "]]],\"type\":\"ok\",\"f\":\"txn\"}";
    Input input = Input.of("x", text.getBytes(StandardCharsets.UTF_8));
    assertThat(FORMAT.recognises(input)).isTrue();
    assertThat(FORMAT.read(input).operationCount()).isEqualTo(1);
  }
}
