package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Keyword;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JepsenWritingTest {
  private static final JepsenEdn EDN = new JepsenEdn();
  private static final JepsenJson JSON = new JepsenJson();

  static List<HistoryFormat> formats() {
    return List.of(EDN, JSON);
  }

  private static History again(HistoryFormat format, History history)
      throws IOException, ParseException {
    byte[] bytes = Written.bytes(format, history);
    History read = Formats.read(Input.of("again", bytes));
    assertThat(read.origin().format()).isEqualTo(format.id());
    return read;
  }

  private static String edn(History history) throws IOException {
    return new String(Written.bytes(EDN, history), StandardCharsets.UTF_8);
  }

  private static History read(String text) throws ParseException {
    return Written.read(EDN, "h.edn", text.getBytes(StandardCharsets.UTF_8));
  }

  /** Which transactions ended before which began. */
  private static List<String> realTime(History h) {
    List<String> order = new ArrayList<>();
    for (int a = 0; a < h.transactionCount(); a++) {
      for (int b = 0; b < h.transactionCount(); b++) {
        boolean known = h.end(a) != History.ABSENT && h.start(b) != History.ABSENT;
        if (known && h.end(a) < h.start(b)) {
          order.add(ops(h, a) + " < " + ops(h, b));
        }
      }
    }
    order.sort(null);
    return order;
  }

  private static List<String> sessionOrder(History h) {
    List<String> order = new ArrayList<>();
    for (int a = 0; a < h.transactionCount(); a++) {
      for (int b = 0; b < h.transactionCount(); b++) {
        if (h.session(a) == h.session(b) && h.placeInSession(a) < h.placeInSession(b)) {
          order.add(ops(h, a) + " < " + ops(h, b));
        }
      }
    }
    order.sort(null);
    return order;
  }

  private static String ops(History h, int txn) {
    StringBuilder text = new StringBuilder(h.outcome(txn).id());
    for (int op = h.firstOp(txn); op < h.endOp(txn); op++) {
      text.append(", ").append(h.text(op));
    }
    return text.toString();
  }

  private static List<String> transactions(History h) {
    List<String> all = new ArrayList<>();
    for (int txn = 0; txn < h.transactionCount(); txn++) {
      all.add(ops(h, txn));
    }
    all.sort(null);
    return all;
  }

  // ---- what is kept

  @Test
  void aJepsenHistoryIsWrittenAsItWas() throws IOException, ParseException {
    String text =
        """
        {:index 0, :time 10, :type :invoke, :process 0, :f :txn, :value [[:append 1 1] [:r 1 nil]]}
        {:index 1, :time 11, :type :invoke, :process 1, :f :txn, :value [[:r 1 nil] [:r :x nil]]}
        {:index 2, :time 12, :type :invoke, :process 2, :f :txn, :value [[:append 1 2]]}
        {:index 3, :time 13, :type :ok, :process 1, :f :txn, :value [[:r 1 [1]] [:r :x []]]}
        {:index 4, :time 14, :type :invoke, :process 1, :f :txn, :value [[:append :x "s"]]}
        {:index 5, :time 15, :type :info, :process 0, :f :txn, :value [[:append 1 1] [:r 1 nil]], \
        :error "gone"}
        {:index 6, :time 16, :type :fail, :process 1, :f :txn, :value [[:append :x "s"]]}
        {:index 7, :time 17, :type :invoke, :process 3, :f :txn, :value [[:w 5 [1 :k]]]}
        """;
    History h = read(text);
    assertThat(EDN.losses(h)).isEmpty();
    assertThat(edn(h)).isEqualTo(text);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void publishedHistoriesSurviveARoundTrip(HistoryFormat format)
      throws IOException, ParseException {
    Path corpus = Path.of("..", "..", "shared", "corpus");
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("taps", "elle")) {
      if (Files.isDirectory(corpus.resolve(folder))) {
        files.addAll(Input.of(corpus.resolve(folder)).files(".edn"));
      }
    }
    for (Path file : files) {
      History h = Formats.read(Input.of(file));
      assertThat(format.losses(h)).as(file.toString()).isEmpty();
      History again = again(format, h);
      assertThat(transactions(again)).as(file.toString()).isEqualTo(transactions(h));
      if (h.transactionCount() < 100) {
        assertThat(realTime(again)).as(file.toString()).isEqualTo(realTime(h));
        assertThat(sessionOrder(again)).as(file.toString()).isEqualTo(sessionOrder(h));
        assertThat(again.ownId(0)).isEqualTo(h.ownId(0));
      }
    }
  }

  @Test
  void valuesOfEveryKindSurviveInEdn() throws IOException, ParseException {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    List<Object> values =
        List.of(
            Long.MIN_VALUE,
            new BigInteger("123456789012345678901"),
            1.5,
            1e300,
            Double.NaN,
            Double.NEGATIVE_INFINITY,
            new BigDecimal("1.5"),
            "quote\" back\\slash \n\r\t\u0001 é \ud83d\ude00 \ud800",
            ":k",
            new Keyword("k"),
            new Keyword("ns/k"),
            true,
            List.of(1L, List.of("x", new Keyword("y"))));
    for (Object value : values) {
      b.write(value, value);
    }
    History h = b.build();
    assertThat(EDN.losses(h)).isEmpty();
    History again = again(EDN, h);
    for (int op = 0; op < values.size(); op++) {
      assertThat(again.operation(op).value()).isEqualTo(values.get(op));
      assertThat(again.operation(op).key()).isEqualTo(values.get(op));
    }
    assertThat(JSON.losses(h))
        .containsExactly("4 keys that read back changed", "4 values that read back changed");
  }

  @ParameterizedTest
  @MethodSource("formats")
  void setsAndCountersSurvive(HistoryFormat format) throws IOException, ParseException {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    b.add(1, 5);
    b.readSet(1, List.of(5, 4));
    b.readSet(1, List.of());
    b.increment(2, 3);
    b.readCounter(2, 3);
    History h = b.build();
    assertThat(format.losses(h)).isEmpty();
    assertThat(Written.text(again(format, h))).isEqualTo(Written.text(h));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void theInitialZeroIsWrittenAsNil(HistoryFormat format) throws IOException, ParseException {
    HistoryBuilder b = new HistoryBuilder();
    b.zeroIsInitial(true);
    b.begin(b.session(0), Outcome.COMMITTED);
    b.read(0, 0);
    b.write(0, 7);
    History h = b.build();
    assertThat(format.losses(h)).isEmpty();
    assertThat(Written.text(again(format, h)))
        .isEqualTo("session 0\n  committed, read 0 -> nil, write 0 7\n");
  }

  @ParameterizedTest
  @MethodSource("formats")
  void randomHistoriesWithoutLossKeepTheirOrders(HistoryFormat format)
      throws IOException, ParseException {
    int lossless = 0;
    for (int seed = 0; seed < 400; seed++) {
      History h = random(seed);
      History again = again(format, h);
      if (format.losses(h).isEmpty()) {
        lossless++;
        assertThat(realTime(again)).as("seed " + seed).isEqualTo(realTime(h));
        assertThat(sessionOrder(again)).as("seed " + seed).isEqualTo(sessionOrder(h));
      }
      assertThat(transactions(again)).as("seed " + seed).isEqualTo(transactions(h));
      // Whatever is lost, no order may be invented, except where losses() says so.
      assertThat(sessionOrder(h)).as("seed " + seed).containsAll(sessionOrder(again));
      if (format.losses(h).stream().noneMatch(loss -> loss.contains("would follow"))) {
        List<String> known = new ArrayList<>(realTime(h));
        known.addAll(sessionOrder(h));
        assertThat(known).as("seed " + seed).containsAll(realTime(again));
      }
    }
    assertThat(lossless).isGreaterThan(150);
  }

  /** A few sessions with times that often coincide, now and then overlap or are missing. */
  private static History random(int seed) {
    Random random = new Random(seed);
    HistoryBuilder b = new HistoryBuilder();
    boolean wild = seed % 2 == 0;
    int resolution = 1 + random.nextInt(20);
    long[] clock = new long[3];
    for (int i = 0; i < 12; i++) {
      int client = random.nextInt(clock.length);
      Outcome outcome = Outcome.of(wild ? random.nextInt(3) : random.nextInt(2));
      int txn = b.begin(b.session(client), outcome);
      b.write(i, i + 1);
      long start = clock[client] + random.nextInt(10);
      long end = start + random.nextInt(10);
      clock[client] = end + (wild ? random.nextInt(4) - 2 : 1 + resolution);
      if (!wild || random.nextInt(6) > 0) {
        b.start(txn, start / resolution);
      }
      if (outcome != Outcome.INDETERMINATE && (!wild || random.nextInt(6) > 0)) {
        b.end(txn, end / resolution);
      }
    }
    return b.build();
  }

  // ---- times

  @Test
  void eventsAreInTheOrderOfTime() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    int first = b.begin(b.session("alice"), Outcome.COMMITTED);
    b.write(1, 1);
    b.start(first, 100);
    b.end(first, 400);
    int second = b.begin(b.session("bob"), Outcome.ABORTED);
    b.write(1, 2);
    b.start(second, 200);
    b.end(second, 300);
    assertThat(edn(b.build()))
        .isEqualTo(
            """
            {:index 0, :time 100, :type :invoke, :process 0, :f :txn, :value [[:w 1 1]]}
            {:index 1, :time 200, :type :invoke, :process 1, :f :txn, :value [[:w 1 2]]}
            {:index 2, :time 300, :type :fail, :process 1, :f :txn, :value [[:w 1 2]]}
            {:index 3, :time 400, :type :ok, :process 0, :f :txn, :value [[:w 1 1]]}
            """);
  }

  @Test
  void withoutTimesOnlyCompletionsAreWritten() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(4), Outcome.COMMITTED);
    b.readList(1, List.of(1, 2));
    b.begin(b.session("x"), Outcome.INDETERMINATE);
    b.append(1, 2);
    b.op(OpKind.LIST_READ, 1, RawScalars.UNKNOWN);
    History h = b.build();
    assertThat(EDN.losses(h)).isEmpty();
    assertThat(edn(h))
        .isEqualTo(
            """
            {:index 0, :type :ok, :process 4, :f :txn, :value [[:r 1 [1 2]]]}
            {:index 1, :type :info, :process 0, :f :txn, :value [[:append 1 2] [:r 1 nil]]}
            """);
    assertThat(new String(Written.bytes(JSON, h), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"index":0,"type":"ok","process":4,"f":"txn","value":[["r",1,[1,2]]]}
            {"index":1,"type":"info","process":0,"f":"txn","value":[["append",1,2],["r",1,null]]}
            """);
  }

  // ---- what is lost

  @Test
  void everyLossIsNamedAndCounted() {
    HistoryBuilder b = new HistoryBuilder();
    int s = b.session("s");
    int maybe = b.begin(s, Outcome.INDETERMINATE);
    b.start(maybe, 1);
    b.end(maybe, 2);
    b.read(1, null);
    int late = b.begin(s, Outcome.COMMITTED);
    b.start(late, 3);
    b.end(late, 9);
    b.commitTs(late, 1);
    b.serialPosition(late, 1);
    b.op(OpKind.READ, 1, RawScalars.UNKNOWN);
    b.predicate(OpKind.SELECT, "{}");
    b.readCounter(2, 5);
    b.write(3, new Keyword("a b"));
    int overlapping = b.begin(s, Outcome.COMMITTED);
    b.start(overlapping, 8);
    b.end(overlapping, 10);
    int half = b.begin(s, Outcome.COMMITTED);
    b.start(half, 11);
    b.metadata("database", "one");
    b.metadata("note.skipped", "a remark");
    assertThat(EDN.losses(b.build()))
        .containsExactly(
            "1 session that continues after an indeterminate transaction",
            "1 place in session order of a transaction that overlaps one before it",
            "1 place in session order of a transaction without times among others with times",
            "1 time of a transaction that lacks a start or a later end",
            "1 end time of an indeterminate transaction",
            "1 transaction's database timestamps",
            "1 serialization position",
            "metadata \"database\"",
            "1 predicate operation",
            "1 read of unknown result in a committed transaction",
            "1 read of the initial value in a transaction that did not commit",
            "1 counter read of a key that is not only incremented",
            "1 value that reads back changed");
  }

  @Test
  void aCommittedReadOfUnknownResultIsLeftOutRatherThanCalledInitial()
      throws IOException, ParseException {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    b.op(OpKind.READ, 1, RawScalars.UNKNOWN);
    b.write(1, 2);
    assertThat(Written.text(again(EDN, b.build())))
        .isEqualTo("session 0\n  committed, write 1 2\n");
  }

  @Test
  void sessionsThatEndAndBeginAtOneTimeAreALoss() {
    HistoryBuilder b = new HistoryBuilder();
    for (int i = 0; i < 4; i++) {
      int txn = b.begin(b.session(i % 2), Outcome.COMMITTED);
      b.start(txn, i < 2 ? 0 : 5);
      b.end(txn, i < 2 ? 5 : 9);
    }
    assertThat(EDN.losses(b.build()))
        .containsExactly(
            "2 transactions that begin at the very time others end, and would follow them");
  }
}
