package dev.assay.format.jsonl;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.Decimals;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RandomHistories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AssayJsonlTest {
  private static final AssayJsonl FORMAT = new AssayJsonl();

  @Test
  void randomHistoriesSurvive() throws Exception {
    for (int seed = 0; seed < 500; seed++) {
      History history = new RandomHistories(seed).next();
      assertSame(read(bytes(history)), history);
    }
  }

  @Test
  void writingTwiceGivesTheSameText() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      byte[] once = bytes(new RandomHistories(seed).types(OpKind.Type.REGISTER).next());
      assertThat(bytes(read(once))).isEqualTo(once);
    }
  }

  @Test
  void everyFieldOfATransactionIsRead() throws Exception {
    History h =
        read(
            """
            {"assay":1,"initial":0,"metadata":{"database":"toy","seed":7}}
            {"session":"3","outcome":"aborted","id":"t1","start":1,"end":2,"shown":[10,null],\
            "snapshot":3,"commitTs":4,"position":5,"error":"no","ops":[["r","x",1],["w","y",2]]}
            """);
    assertThat(h.zeroIsInitial()).isTrue();
    assertThat(h.metadata()).containsEntry("database", "toy").containsEntry("seed", "7");
    assertThat(h.sessionName(0)).isEqualTo("3");
    assertThat(h.outcome(0)).isEqualTo(Outcome.ABORTED);
    assertThat(h.ownId(0)).isEqualTo("t1");
    assertThat(h.start(0)).isEqualTo(1);
    assertThat(h.end(0)).isEqualTo(2);
    assertThat(h.shownStart(0)).isEqualTo(10);
    assertThat(h.shownEnd(0)).isEqualTo(History.ABSENT);
    assertThat(h.snapshotTs(0)).isEqualTo(3);
    assertThat(h.commitTs(0)).isEqualTo(4);
    assertThat(h.serialPosition(0)).isEqualTo(5);
    assertThat(h.error(0)).isEqualTo("no");
    assertThat(h.place(0)).isEqualTo("h.jsonl:2");
  }

  @Test
  void everyKindOfOperationIsRead() throws Exception {
    History h =
        read(
            """
            {"session":1,"ops":[["r","x",null],["r","x"],["w","x",{"keyword":"k"}],\
            ["append","l",1],["r","l",[1]],["rl","l"],["rs","s",[1,2]],["add","s",3],["rc","c",4],\
            ["inc","c",-1],\
            ["select",{ "where" : ["=", "v", 1.50] },[["k",{"vector":[1,[]]}]]],["update",{},[]]]}
            """
                .replace("[1,[]]", "[1,null]"));
    String[] expected = {
      "read x -> nil",
      "read x -> ?",
      "write x :k",
      "append l 1",
      "read l -> [1]",
      "read l -> ?",
      "read s -> {1 2}",
      "add s 3",
      "read c -> 4",
      "increment c -1",
      "select {\"where\":[\"=\",\"v\",1.50]} -> {k=[1, null]}",
      "update {} -> {}"
    };
    int op = 0;
    for (String text : expected) {
      assertThat(h.text(op)).isEqualTo(text);
      op = h.nextOp(op);
    }
    assertThat(op).isEqualTo(h.endOp(0));
    assertThat(h.kind(5)).isEqualTo(OpKind.LIST_READ);
  }

  @Test
  void bomCrlfAndBlankLinesAreAccepted() throws Exception {
    String text =
        "\ufeff\r\n  \r\n{\"session\":1,\"ops\":[]}\r\n\r\n{\"ops\":[],\"session\":\"1\"}";
    History h = read(text);
    assertThat(h.transactionCount()).isEqualTo(2);
    assertThat(h.sessionCount()).as("1 and \"1\" are different names").isEqualTo(2);
    assertThat(h.place(1)).isEqualTo("h.jsonl:5");
    assertThat(detected(text)).isEqualTo("assay-jsonl");
  }

  @Test
  void numbersKeepEveryDigit() throws Exception {
    assertThat(value("123456789012345678901234567890"))
        .isEqualTo(new BigInteger("123456789012345678901234567890"));
    assertThat(value("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(value("0.1")).isEqualTo(0.1);
    assertThat(value("0.10")).isEqualTo(0.1);
    assertThat(value("1e2")).isEqualTo(100.0);
    assertThat(value("-0.0")).isEqualTo(-0.0);
    assertThat(value("0.10000000000000001")).isEqualTo(new BigDecimal("0.10000000000000001"));
    assertThat(value("1e400")).isEqualTo(new BigDecimal("1e400"));
    assertThat(value("{\"decimal\":\"1.50\"}")).isEqualTo(new BigDecimal("1.50"));
    assertThat(value("{\"double\":\"NaN\"}")).isEqualTo(Double.NaN);
  }

  @Test
  void doublesOfAnySizeComeBack() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      long bits = random.nextLong();
      double number = Double.longBitsToDouble(i % 10 == 0 ? bits & 0x800fffffffffffffL : bits);
      if (!Double.isNaN(number) && !Double.isInfinite(number)) {
        assertThat(Decimals.valueOf(Decimals.text(number))).isEqualTo(number);
      }
    }
    for (double number : new double[] {2e23, 2.0E-3, 5.684341886080802E-14, Double.MIN_VALUE}) {
      assertThat(Decimals.valueOf(Decimals.text(number))).isEqualTo(number);
    }
  }

  @Test
  void unknownFieldsAreIgnoredWithANote() throws Exception {
    History h = read("{\"session\":1,\"host\":{\"a\":[1]},\"ops\":[],\"pid\":4}");
    assertThat(h.metadata())
        .containsEntry("note.unknown-fields", "ignored unknown fields: host, pid");
  }

  @Test
  void sessionsWithoutTransactionsAndTheirOrderSurvive() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    builder.session("idle");
    builder.begin(builder.session("busy"), Outcome.COMMITTED);
    History history = builder.build();
    assertSame(read(bytes(history)), history);
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() {
    assertError("{\"session\":1§}", "a transaction with a field \"ops\"");
    assertError("{\"ops\":[]§}", "a transaction with a field \"session\"");
    assertError("\n{\"session\":1,\"ops\":[[§\"z\",1,1]]}", "one of r, w");
    assertError("{\"session\":1,\"ops\":[[\"w\",1§]]}", "the value after the key");
    assertError("{\"session\":1,\"ops\":[[\"w\",1,§[2]]]}", "null, true");
    assertError("{\"session\":1,\"ops\":[[\"inc\",1,§\"a\"]]}", "an integer");
    assertError("{\"session\":1,\"ops\":[[\"r\",1,2,§3]]}", "the end of the operation");
    assertError("{\"session\":1,\"start\":§1.5,\"ops\":[]}", "an integer");
    assertError("{\"session\":1,\"outcome\":§\"ok\",\"ops\":[]}", "\"committed\"");
    assertError("{\"session\":1,\"ops\":[],§\"ops\":[]}", "each field once");
    assertError("{\"session\":1,\"ops\":[]} §{}", "the end of the line");
    assertError("{\"session\":1,\"ops\":[§", "one whole JSON object per line");
    assertError("§[1]", "one JSON object per line");
    assertError("{\"session\":1,\"ops\":[]}\n\n{\"session\":1,§}", "one JSON object per line");
    assertError("{\"assay\":§2}", "version 1 of assay-jsonl");
    assertError("{\"session\":1,\"ops\":[]}\n{\"assay\":§1}", "a transaction");
    assertError("{\"session\":1,\"ops\":[[\"select\",{}§]]}", "an array of rows");
    assertError("{\"session\":1,\"ops\":[[\"w\",1,§1e99999999999]]}", "a number whose");
  }

  @Test
  void endlessNestingIsAnErrorNotAStackOverflow() {
    String text = "{\"session\":1,\"ops\":[[\"w\",1," + "{\"vector\":[".repeat(100_000);
    ParseException e = catchThrowableOfType(ParseException.class, () -> read(text));
    assertThat(e).hasMessageContaining("nested too deep");
  }

  @Test
  void onlyItsOwnLinesAreClaimed() throws Exception {
    assertThat(detected("{\"session\":1,\"ops\":[]}")).isEqualTo("assay-jsonl");
    assertThat(detected("{\"initial\":null,\"assay\":1}")).isEqualTo("assay-jsonl");
    String jepsen = "{\"type\":\"ok\",\"process\":1,\"f\":\"txn\",\"value\":[[\"r\",\"ops\",1]]}";
    assertThat(detected(jepsen)).isNotEqualTo("assay-jsonl");
    assertThat(detected("[" + jepsen + "]")).isNotEqualTo("assay-jsonl");
    assertThat(detected("{\"value\":[[\"w\",1,2,true]]}")).isNotEqualTo("assay-jsonl");
    assertThat(detected("w(1,1,1,1)")).isNotEqualTo("assay-jsonl");
    assertThat(detected("")).isNotEqualTo("assay-jsonl");
  }

  @Test
  void mutatedFilesGiveAHistoryOrAParseException() throws Exception {
    Random random = new Random(11);
    String spice = "{}[]\",:0-9.eE\\nru \n\r\u00e9tnl";
    int errors = 0;
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = bytes(new RandomHistories(i % 40).size(4, 4).next());
      for (int change = 1 + random.nextInt(3); change > 0; change--) {
        int at = random.nextInt(bytes.length);
        bytes[at] =
            random.nextInt(4) == 0
                ? (byte) random.nextInt()
                : (byte) spice.charAt(random.nextInt(spice.length()));
      }
      try {
        read(bytes);
      } catch (ParseException e) {
        assertThat(e.getMessage()).isNotBlank();
        assertThat(e.line()).isPositive();
        assertThat(e.column()).isPositive();
        errors++;
      }
    }
    assertThat(errors).isBetween(1000, 4990);
  }

  /** Reads the text without its mark, and expects the complaint to point at the mark. */
  private static void assertError(String marked, String expected) {
    int mark = marked.indexOf('§');
    long line = 1 + marked.substring(0, mark).chars().filter(c -> c == '\n').count();
    int column = mark - marked.lastIndexOf('\n', mark);
    String text = marked.replace("§", "");
    ParseException e = catchThrowableOfType(ParseException.class, () -> read(text));
    assertThat(e).as(text).isNotNull();
    assertThat(e.expected()).as(text).startsWith(expected);
    assertThat(e.place()).as(text).isEqualTo("h.jsonl:" + line + ":" + column);
  }

  private static Object value(String json) throws ParseException {
    History h = read("{\"session\":1,\"ops\":[[\"w\",1," + json + "]]}");
    return h.operation(0).value();
  }

  private static String detected(String text) throws Exception {
    Input input = Input.of("h.jsonl", text.getBytes(StandardCharsets.UTF_8));
    return Formats.detect(input).map(HistoryFormat::id).orElse("none");
  }

  private static byte[] bytes(History history) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FORMAT.write(history, out);
    return out.toByteArray();
  }

  private static History read(String text) throws ParseException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static History read(byte[] bytes) throws ParseException {
    return Formats.read(Input.of("h.jsonl", bytes), FORMAT);
  }
}
