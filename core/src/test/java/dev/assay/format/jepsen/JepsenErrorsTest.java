package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JepsenErrorsTest {
  private static final String OK = "{:type :ok :process 0 :value [[:w 1 1]]}\n";

  private static ParseException edn(String text) {
    return Written.error(new JepsenEdn(), Input.of("h.edn", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static ParseException json(String text) {
    return Written.error(
        new JepsenJson(), Input.of("h.json", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void refused(ParseException e, String place, String found) {
    assertThat(e.place() + " " + e.getMessage()).isEqualTo(place + " " + found);
    assertThat(e.expected()).isNotNull();
  }

  @Test
  void aFileThatEndsInsideSomethingSaysWhereThatBegins() {
    String ends = "the file ends inside the ";
    refused(edn(OK + " {:type :ok"), "h.edn:2:2", ends + "map that begins here");
    refused(edn(OK + "{:value [[:r 1 [1 2"), "h.edn:2:16", ends + "vector that begins here");
    refused(edn(OK + "{:value [[:r 1 #{1 2"), "h.edn:2:16", ends + "set that begins here");
    refused(edn("[" + OK), "h.edn:1:1", ends + "vector that begins here");
    refused(edn("{:a \"b\n"), "h.edn:1:5", ends + "string that begins here");
    refused(edn("{:type"), "h.edn:1:7", "the end of the file");
    refused(
        edn(OK + "{:type :ok\n{:type :ok :process 0}"), "h.edn:3:1", "\"{:type :ok :process 0}\"");
  }

  @Test
  void aMapWithAnOddNumberOfFormsIsRefused() {
    String odd = "a map with an odd number of forms";
    refused(edn("{:type :ok :process}"), "h.edn:1:1", odd);
    refused(edn("{:type :ok :process 0 :x {1}}"), "h.edn:1:26", odd);
  }

  @Test
  void whatIsNoOperationIsRefused() {
    refused(edn("[" + OK + " 5]"), "h.edn:2:2", "\"5]\"");
    refused(edn(OK.strip() + " junk"), "h.edn:1:42", "\"junk\"");
    refused(edn(OK + "]"), "h.edn:2:1", "\"]\"");
    refused(edn("#{1}"), "h.edn:1:1", "\"#{1}\"");
    refused(edn("\nr(1,2,3,4)\n"), "h.edn:2:1", "no operation anywhere in the file");
    refused(edn("{:name \"x\"}"), "h.edn:1:1", "an operation without :type");
    refused(edn("{:type :start :process 1}"), "h.edn:1:8", "an operation of type start");
    refused(
        edn("{:type :ok :process 0 :type :ok}"), "h.edn:1:29", "a second :type in one operation");
  }

  @Test
  void aSecondCompletionOfAProcessIsRefused() {
    refused(
        edn("{:type :invoke :process 0 :value []}\n" + OK + OK),
        "h.edn:3:1",
        "a completion of process 0, which has no invocation open");
  }

  @Test
  void concurrentOperationsWithoutProcessAreRefused() {
    refused(
        edn("{:type :invoke :value []} {:type :invoke :value []}"),
        "h.edn:1:27",
        "an invocation without :process while that of line 1 is open");
    refused(
        edn("{:type :invoke :value []} {:type :ok :value []} {:type :ok :value []}"),
        "h.edn:1:49",
        "a completion without :process and with no invocation before it");
  }

  @Test
  void operationsThatAreNoTransactionsAreNamed() {
    for (String value : new String[] {"nil", "5", "[1 2]", "{:a 1}", "nothing"}) {
      refused(
          edn("{:type :invoke :process 0 :f :transfer :value " + value + "}"),
          "h.edn:1:1",
          "an operation whose :f is :transfer and whose value is not a transaction");
    }
    refused(edn("{:type :ok :process 0 :value 5}"), "h.edn:1:30", "the value \"5}\"");
    refused(edn("{:type :ok :process 0 :value nope}"), "h.edn:1:30", "the value nope");
  }

  @Test
  void microOperationsOfAnotherShapeAreRefused() {
    String op = "{:type :ok :process 0 :value [%s]}";
    refused(edn(op.formatted(":r 1 nil")), "h.edn:1:31", "\":r 1 nil]}\" in a transaction");
    refused(edn(op.formatted("[:cas 1 [1 2]]")), "h.edn:1:32", "a micro-operation named :cas");
    refused(edn(op.formatted("[5 1 2]")), "h.edn:1:32", "a micro-operation named 5");
    refused(edn(op.formatted("[]")), "h.edn:1:32", "an empty micro-operation");
    refused(edn(op.formatted("[:r]")), "h.edn:1:31", "a micro-operation on no key");
    refused(edn(op.formatted("[:w 1]")), "h.edn:1:31", "a write of nothing");
    refused(
        edn(op.formatted("[:w 1 2 3]")),
        "h.edn:1:31",
        "a micro-operation of more than three forms");
    refused(edn(op.formatted("[:w {:a 1} 2]")), "h.edn:1:35", "a map as a key or value");
    refused(edn(op.formatted("[:w 1 [#{1}]]")), "h.edn:1:37", "a set as a key or value");
    refused(edn(op.formatted("[:inc 1 :x]")), "h.edn:1:31", "an increment by :x");
    refused(edn(op.formatted("[:w 1 007]")), "h.edn:1:37", "007");
    refused(edn(op.formatted("[:w 1 1/2]")), "h.edn:1:37", "1/2");
    refused(edn(op.formatted("[:w 1 \"\\q\"]")), "h.edn:1:37", "\\q in this string");
    refused(
        edn(op.formatted("[:w 1 #foo]")), "h.edn:1:41", "a tag or metadata with nothing after it");
  }

  @Test
  void valuesOfOthersThanClientsMayBeAnything() throws ParseException {
    String nemesis = "{:type :sleep :f :x :value [[:cas {1 2}] 5 #{3}] :process :nemesis}\n";
    Formats.read(Input.of("h.edn", (nemesis + OK).getBytes(StandardCharsets.UTF_8)));
    refused(
        edn(nemesis), "h.edn:1", "no operation of a client: every process is one like :nemesis");
  }

  @Test
  void deepNestingIsRefusedBeforeItOverflowsTheStack() {
    String deep = "forms nested more than 200 deep";
    for (String opening : new String[] {"[", "{:a ", "#{", "#_ ", "^", "("}) {
      assertThat(edn("{:type :ok :x " + opening.repeat(100_000)).getMessage()).isEqualTo(deep);
      assertThat(edn("{:type :ok :value [[:w 1 " + opening.repeat(100_000)).getMessage())
          .isEqualTo(deep);
    }
    assertThat(json("{\"x\": " + "[".repeat(100_000)).getMessage()).contains("200");
  }

  @Test
  void textThatIsNotUtf8IsRefused() {
    byte[] bytes = "{:type :ok :process 0 :value [[:w 1 \"?\"]]}".getBytes(StandardCharsets.UTF_8);
    bytes[37] = (byte) 0xff;
    ParseException e = Written.error(new JepsenEdn(), Input.of("h.edn", bytes));
    refused(e, "h.edn:1:37", "text that is not UTF-8");
  }

  // ---- JSON

  @Test
  void brokenJsonSaysWhere() {
    refused(
        json("{\"type\": \"ok\",\n \"process\": 0"),
        "h.json:2:14",
        "the file ends inside an operation");
    assertThat(json("{\"type\": oops}").place()).startsWith("h.json:1:");
    refused(json("[{\"type\":\"ok\",\"process\":0}, 5]"), "h.json:1:29", "5 between operations");
    refused(json("{\"a\": 1}"), "h.json:1:1", "an operation without :type");
    refused(
        json("{\"type\": \"ok\", \"process\": 0, \"type\": \"ok\"}"),
        "h.json:1:30",
        "a second \"type\" in one operation");
  }

  @Test
  void microOperationsOfAnotherShapeAreRefusedInJson() {
    String op = "{\"type\":\"ok\",\"process\":0,\"value\":[%s]}";
    refused(json(op.formatted("5")), "h.json:1:35", "5 in a transaction");
    refused(json(op.formatted("[]")), "h.json:1:36", "an empty micro-operation");
    refused(json(op.formatted("[[\"w\"],1,2]")), "h.json:1:36", "a micro-operation named [");
    refused(json(op.formatted("[\"r\"]")), "h.json:1:39", "a micro-operation on no key");
    refused(json(op.formatted("[\"w\",1]")), "h.json:1:41", "a write of nothing");
    refused(
        json(op.formatted("[\"w\",1,2,3]")),
        "h.json:1:44",
        "a micro-operation of more than three elements");
    refused(
        json(op.formatted("[\"w\",1,{\"a\":[1]}]")),
        "h.json:1:42",
        "an object as or in a key or value");
    refused(
        json(op.formatted("[\"w\",1,1E5678901234567890]")),
        "h.json:1:42",
        "the number 1E5678901234567890 as or in a key or value");
    refused(json(op.formatted("[\"inc\",1,2.5]")), "h.json:1:44", "an increment by 2.5");
    refused(json("{\"type\":\"ok\",\"process\":0,\"value\":7}"), "h.json:1:34", "the value 7");
    refused(json("{\"type\":\"go\",\"process\":0}"), "h.json:1:9", "an operation of type go");
  }
}
