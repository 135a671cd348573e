package dev.assay.format.jepsen;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jepsen's workloads on registers, sets and counters: each operation is a transaction. */
class JepsenSingleOpsTest {
  private static History read(String text) throws ParseException {
    return Formats.read(Input.of("h", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String op(String type, int process, String f, String value) {
    return "{:type :%s, :f :%s, :value %s, :process %d}\n".formatted(type, f, value, process);
  }

  private static final String PLAIN =
      op("invoke", 0, "read", "nil")
          + op("ok", 0, "read", "nil")
          + op("invoke", 0, "write", "3")
          + op("ok", 0, "write", "3")
          + op("invoke", 1, "cas", "[3 4]")
          + op("ok", 1, "cas", "[3 4]")
          + op("invoke", 2, "cas", "[4 6]")
          + op("info", 2, "cas", "[4 6]")
          + op("invoke", 0, "read", "nil")
          + op("ok", 0, "read", "6");

  private static final String AS_TRANSACTIONS =
      op("invoke", 0, "txn", "[[:r \"register\" nil]]")
          + op("ok", 0, "txn", "[[:r \"register\" nil]]")
          + op("invoke", 0, "txn", "[[:w \"register\" 3]]")
          + op("ok", 0, "txn", "[[:w \"register\" 3]]")
          + op("invoke", 1, "txn", "[[:r \"register\" 3] [:w \"register\" 4]]")
          + op("ok", 1, "txn", "[[:r \"register\" 3] [:w \"register\" 4]]")
          + op("invoke", 2, "txn", "[[:r \"register\" 4] [:w \"register\" 6]]")
          + op("info", 2, "txn", "[[:r \"register\" 4] [:w \"register\" 6]]")
          + op("invoke", 0, "txn", "[[:r \"register\" nil]]")
          + op("ok", 0, "txn", "[[:r \"register\" 6]]");

  @Test
  void everyOperationIsATransaction() throws ParseException {
    assertSame(read(PLAIN), read(AS_TRANSACTIONS));
    assertThat(linearizable(read(PLAIN))).isTrue();
    assertThat(linearizable(read(PLAIN.replace("read, :value 6", "read, :value 3")))).isFalse();
  }

  @Test
  void aFailedCompareAndSetIsAborted() throws ParseException {
    String failed = op("invoke", 0, "cas", "[3 5]") + op("fail", 0, "cas", "[3 5]");
    History history = read(PLAIN + failed);
    assertThat(history.outcome(history.transactionCount() - 1)).isEqualTo(Outcome.ABORTED);
    assertThat(history.metadata().get("note.failed-cas")).startsWith("took 1 failed :cas as");
    assertThat(linearizable(history)).isTrue();
  }

  /** As in the histories of etcd that Porcupine is tested with. */
  @Test
  void aReasonInPlaceOfTheValueIsNotTheValue() throws ParseException {
    String lost =
        op("invoke", 3, "write", "8")
            + op("info", 3, "write", ":timed-out")
            + op("invoke", 4, "read", "nil")
            + op("fail", 4, "read", ":timed-out")
            + op("invoke", 5, "cas", "[8 9]")
            + op("info", 5, "cas", ":timed-out")
            + op("invoke", 4, "cas", "[1 2]")
            + op("fail", 4, "cas", ":timed-out");
    String read = op("invoke", 0, "read", "nil") + op("ok", 0, "read", "%d");
    for (int written : new int[] {6, 8, 9}) {
      assertThat(linearizable(read(PLAIN + lost + read.formatted(written)))).isTrue();
    }
    assertThat(linearizable(read(PLAIN + lost + read.formatted(2)))).isFalse();
    assertThat(linearizable(read(lost + PLAIN))).isTrue();
    String keyed = lost.replaceAll("value ([0-9]|\\[[0-9 ]+\\])", "value [7 $1]");
    keyed = keyed.replace("value nil", "value [7 nil]");
    String answer = op("invoke", 0, "read", "[7 nil]") + op("ok", 0, "read", "[7 %d]");
    assertThat(linearizable(read(keyed + answer.formatted(9)))).isTrue();
    assertThat(linearizable(read(keyed + answer.formatted(2)))).isFalse();
  }

  @Test
  void processesMayBeManyAndCrash() throws ParseException {
    StringBuilder text = new StringBuilder();
    for (int process = 0; process < 100; process++) {
      text.append(op("invoke", process, "write", "" + process));
      text.append(op("info", process, "write", ":timed-out"));
    }
    text.append(op("invoke", 100, "read", "nil")).append(op("ok", 100, "read", "%d"));
    assertThat(linearizable(read(text.toString().formatted(42)))).isTrue();
    assertThat(linearizable(read(text.toString().formatted(142)))).isFalse();
  }

  @Test
  void aReadThatFailedDoesNotTellASetFromACounter() throws ParseException {
    String set =
        op("invoke", 0, "add", "5")
            + op("ok", 0, "add", "5")
            + op("invoke", 1, "read", "nil")
            + op("fail", 1, "read", ":timed-out")
            + op("invoke", 0, "read", "nil")
            + op("ok", 0, "read", "#{5}");
    assertThat(linearizable(read(set))).isTrue();
    assertThat(linearizable(read(set.replace(":timed-out", "{:error 5}")))).isTrue();
  }

  @Test
  void independentKeysAreKeys() throws ParseException {
    String text =
        op("invoke", 0, "write", "[7 3]")
            + op("ok", 0, "write", "[7 3]")
            + op("invoke", 1, "cas", "[7 [3 4]]")
            + op("ok", 1, "cas", "[7 [3 4]]")
            + op("invoke", 0, "read", "[8 nil]")
            + op("ok", 0, "read", "[8 nil]")
            + op("invoke", 0, "read", "[7 nil]")
            + op("ok", 0, "read", "[7 %d]");
    assertThat(read(text.formatted(4)).keys().count()).isEqualTo(2);
    assertThat(linearizable(read(text.formatted(4)))).isTrue();
    assertThat(linearizable(read(text.formatted(3)))).isFalse();
  }

  @Test
  void whatIsAddedIsASetOrACounterByWhatIsRead() throws ParseException {
    String adds =
        op("invoke", 0, "add", "5")
            + op("invoke", 1, "read", "nil")
            + op("ok", 0, "add", "5")
            + op("info", 1, "read", "nil")
            + op("invoke", 0, "add", "7")
            + op("ok", 0, "add", "7")
            + op("invoke", 0, "read", "nil");
    for (String seen : new String[] {"#{7 5}", "[5 7]", "(5 7)"}) {
      History set = read(adds + op("ok", 0, "read", seen));
      assertThat(set.kind(set.operationCount() - 1)).isEqualTo(OpKind.SET_READ);
      assertThat(linearizable(set)).isTrue();
    }
    for (String seen : new String[] {"#{7}", "[]"}) {
      assertThat(linearizable(read(adds + op("ok", 0, "read", seen)))).isFalse();
    }
    History counter = read(adds + op("ok", 0, "read", "12"));
    assertThat(counter.kind(0)).isEqualTo(OpKind.INCREMENT);
    assertThat(linearizable(counter)).isTrue();
    assertThat(linearizable(read(adds + op("ok", 0, "read", "5")))).isFalse();
    assertThat(read(adds).kind(0)).isEqualTo(OpKind.ADD);
  }

  @Test
  void jsonAndTextMeanTheSame() throws ParseException {
    String json =
        """
        {"type":"invoke","process":0,"f":"write","value":3}
        {"value":3,"type":"ok","process":0,"f":"write"}
        {"type":"invoke","process":1,"f":"cas","value":[3,4]}
        {"type":"ok","process":1,"f":"cas","value":[3,4]}
        {"type":"invoke","process":0,"f":"read"}
        {"type":"ok","process":0,"f":"read","value":4}
        """;
    String text =
        """
        0\t:invoke\t:write\t3
        0\t:ok\t:write\t3
        1\t:invoke\t:cas\t[3 4]
        1\t:ok\t:cas\t[3 4]
        0\t:invoke\t:read\tnil
        0\t:ok\t:read\t4
        """;
    assertSame(read(json), read(text));
    assertThat(linearizable(read(json))).isTrue();
    assertThat(linearizable(read(json.replace("\"value\":4}", "\"value\":3}")))).isFalse();
  }

  private static boolean linearizable(History history) {
    Level level = Level.STRICT_SERIALIZABLE;
    return Assay.check(history, Set.of(level), Budget.of(Duration.ofSeconds(20))).holds(level);
  }

  @Test
  void whatIsNoRegisterIsRefused() {
    refused(op("invoke", 0, "write", "1") + op("ok", 0, "write", "{0 1}"), "whose :f is :write");
    refused(op("invoke", 0, "read", "nil") + op("ok", 0, "read", "[1 2 3]"), "whose :f is");
    refused(op("invoke", 0, "inc", "1"), "whose :f is :inc");
    refused(op("invoke", 0, "add", "nil"), "whose :f is :add");
    refused(op("invoke", 0, "add", "1") + op("invoke", 1, "write", "1"), "whose :f is :write");
    refused(op("invoke", 0, "add", "1") + op("invoke", 1, "txn", "[[:r 1 nil]]"), "whose :f is");
    refused(op("invoke", 0, "cas", "3"), "whose :f is :cas");
    refused(
        op("invoke", 0, "write", "3") + op("invoke", 1, "read", "[1 2]"),
        "a register with a key, unlike those before it");
  }

  private static void refused(String text, String part) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining(part);
  }
}
