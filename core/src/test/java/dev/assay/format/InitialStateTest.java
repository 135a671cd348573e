package dev.assay.format;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.binary.AssayBinary;
import dev.assay.format.checkers.Dbcop;
import dev.assay.format.checkers.PlumeText;
import dev.assay.format.jepsen.JepsenEdn;
import dev.assay.format.jsonl.AssayJsonl;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a history declares about its initial state. */
class InitialStateTest {
  /** A session reads back what was loaded after it had written something else. */
  private static final String LOADED =
      """
      {"session":"load","start":1,"end":2,"ops":[["w","x",100],["w","y",100]]}
      {"session":"a","start":3,"end":4,"ops":[["w","x",5]]}
      {"session":"a","start":5,"end":6,"ops":[["r","x",100]]}
      """;

  private static final String STALE = LOADED.substring(LOADED.indexOf('\n') + 1);

  private static History read(String lines, ReadOptions options) throws ParseException {
    return Formats.read(Input.of("h.jsonl", lines.getBytes(StandardCharsets.UTF_8)), options);
  }

  private static History read(String lines) throws ParseException {
    return read(lines, ReadOptions.NONE);
  }

  private static Report check(History history) {
    return Assay.check(history, Level.surveyed(), Budget.unlimited());
  }

  private static ParseException error(String lines) {
    ParseException e = catchThrowableOfType(ParseException.class, () -> read(lines));
    assertThat(e).as(lines).isNotNull();
    return e;
  }

  @Test
  void aLoaderPrecedesAllOthersHoweverItIsDeclared() throws Exception {
    assertThat(check(read(LOADED)).holds(Level.CAUSAL)).isTrue();
    List<History> declared =
        List.of(
            read(LOADED, ReadOptions.NONE.loader("load")),
            read("{\"assay\":1,\"loader\":\"load\"}\n" + LOADED),
            read(LOADED.replace("\"load\",", "\"load\",\"loader\":true,")),
            read("{\"assay\":1,\"initial\":{\"x\":100,\"y\":100}}\n" + STALE),
            read("{\"assay\":1,\"initial\":[[\"x\",100],[7,\"z\"]]}\n" + STALE),
            read("{\"assay\":1,\"initial\":100}\n" + STALE));
    for (History history : declared) {
      assertThat(history.transactionCount()).isEqualTo(2);
      Report report = check(history);
      assertThat(report.violated(Level.READ_YOUR_WRITES)).isTrue();
      assertThat(report.violated(Level.CAUSAL)).isTrue();
      assertThat(report.violated(Level.STRONG_CONSISTENT_VIEW)).isTrue();
      assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
      for (HistoryFormat format : List.of(new AssayBinary(), new AssayJsonl())) {
        assertThat(format.losses(history)).isEmpty();
        assertSame(Written.read(format, "again", Written.bytes(format, history)), history);
      }
    }
  }

  @Test
  void nothingElseIsInitialThen() throws Exception {
    for (String value : List.of("null", "0", "99")) {
      String lines = "{\"assay\":1,\"initial\":100}\n{\"session\":1,\"ops\":[[\"r\",\"x\",%s]]}";
      Report report = check(read(lines.formatted(value)));
      assertThat(report.anomalies().get(0).type()).isEqualTo(AnomalyType.THIN_AIR_READ);
      assertThat(report.violated(Level.ADYA_READ_COMMITTED)).isTrue();
    }
  }

  @Test
  void initialValuesOfAnyScalarAreKept() throws Exception {
    String ops = "{\"session\":1,\"ops\":[[\"r\",\"x\",%s],[\"r\",7,null],[\"r\",8,0]]}";
    for (String value :
        List.of("\"full\"", "true", "-3", "{\"decimal\":\"1.50\"}", "{\"keyword\":\"k\"}", "2.5")) {
      String header = "{\"assay\":1,\"initial\":[[\"x\",%s]],\"initialOfOthers\":0}\n";
      History mixed = read(header.formatted(value) + ops.formatted(value));
      assertThat(check(mixed).holds(Level.STRONG_SESSION_SERIALIZABLE)).as(value).isTrue();
      History one =
          read(
              "{\"assay\":1,\"initial\":[],\"initialOfOthers\":%s}\n".formatted(value)
                  + "{\"session\":1,\"ops\":[[\"r\",\"x\",%s]]}".formatted(value));
      assertThat(check(one).anomalies()).isEmpty();
      for (History history : List.of(mixed, one)) {
        for (HistoryFormat format : List.of(new AssayBinary(), new AssayJsonl())) {
          History again = Written.read(format, "again", Written.bytes(format, history));
          assertSame(again, history);
          assertThat(check(again).anomalies()).isEmpty();
        }
      }
    }
  }

  @Test
  void otherFormatsNameTheLossAndKeepTheVerdict() throws Exception {
    History history =
        read(
            LOADED
                .replace("\"x\"", "1")
                .replace("\"y\"", "2")
                .replace("\"load\"", "\"load\",\"loader\":true"));
    for (HistoryFormat format : List.of(new PlumeText(), new Dbcop(), new JepsenEdn())) {
      assertThat(format.losses(history)).contains("the declared initial values of 1 key");
      History again = Written.read(format, "again", Written.bytes(format, history));
      assertThat(check(again).violated(Level.READ_YOUR_WRITES)).as(format.id()).isTrue();
    }
  }

  @Test
  void whatCannotBeIsOneError() {
    String header = "{\"assay\":1,%s}\n" + LOADED;
    assertThat(error(header.formatted("\"loader\":\"nobody\"")))
        .hasMessage("it has no session nobody that could be the loader");
    for (String twice : List.of("{\"x\":1,\"x\":2}", "[[\"x\",1],[\"x\",2]]")) {
      assertThat(error("{\"assay\":1,\"initial\":" + twice + "}\n" + STALE))
          .hasMessage("x a second time");
    }
    assertThat(error(header.formatted("\"loader\":\"nobody\"")).expected())
        .isEqualTo("one of its sessions: load, a");
    assertThat(error(header.formatted("\"loader\":\"a\"")).getMessage())
        .contains("it saw what another transaction wrote: read x -> 100");
    assertThat(error(header.formatted("\"initial\":[\"x\",1]")).place()).startsWith("h.jsonl:1:");
    assertThat(error(header.formatted("\"initial\":[[\"x\",1,2]]")).expected())
        .isEqualTo("a pair [key, value]");
    assertThat(error(header.formatted("\"initial\":{\"x\":1,\"x\":2}")).place())
        .startsWith("h.jsonl:1:");
    assertThat(error(header.formatted("\"initial\":{\"x\":[1]}")).place()).startsWith("h.jsonl:1:");
    assertThat(error(header.formatted("\"initial\":1,\"initialOfOthers\":2")).place())
        .startsWith("h.jsonl:1:");
    assertThat(error(LOADED.replace("\"load\",", "\"load\",\"loader\":1,")).expected())
        .isEqualTo("true or false, whether it is the loader");
  }

  private static String why(String transactions) {
    return error(transactions).getMessage();
  }

  @Test
  void aLoaderOnlyWritesRegistersAndComesFirst() {
    String one = "{\"session\":1,\"loader\":true,%s}\n{\"session\":2,\"end\":9,\"ops\":[]}";
    assertThat(why(one.formatted("\"ops\":[[\"w\",\"x\",1],[\"w\",\"x\",2]]")))
        .contains("it writes x again");
    assertThat(why(one.formatted("\"ops\":[[\"append\",\"x\",1]]"))).contains("append x 1");
    assertThat(why(one.formatted("\"ops\":[[\"r\",\"x\",1]]"))).contains("read x -> 1");
    assertThat(why(one.formatted("\"outcome\":\"indeterminate\",\"ops\":[]")))
        .contains("not known whether it committed");
    assertThat(why(one.formatted("\"outcome\":\"aborted\",\"ops\":[]")))
        .isEqualTo("its loader committed nothing");
    assertThat(why(one.formatted("\"start\":10,\"ops\":[[\"w\",\"x\",1]]"))).contains("follows");
    assertThat(why("{\"session\":1,\"ops\":[]}\n{\"session\":1,\"loader\":true,\"ops\":[]}"))
        .contains("follows");
  }

  @Test
  void listsSetsAndCountersBeginAsTheyAlwaysDo() throws Exception {
    String lines = "{\"assay\":1,\"initial\":%s}\n{\"session\":1,\"ops\":[%s]}";
    assertThat(why(lines.formatted("{\"x\":1}", "[\"append\",\"x\",2]"))).contains("x is a list");
    assertThat(why(lines.formatted("{\"x\":1}", "[\"add\",\"x\",2]"))).contains("x is a set");
    assertThat(why(lines.formatted("{\"x\":1}", "[\"inc\",\"x\",2]"))).contains("x is a counter");
    assertThat(why(lines.formatted("1", "[\"inc\",\"x\",2]"))).contains("x is a counter");
    assertThat(why(lines.formatted("1", "[\"select\",{\"where\":[\"=\",\"v\",1]},[]]")))
        .contains("predicate operations");
    assertThat(why(lines.formatted("{\"7\":1}", "[\"r\",7,1]"))).contains("\"7\", a text");
    assertThat(check(read(lines.formatted("1", "[\"rl\",\"l\",[]],[\"r\",\"x\",1]"))).anomalies())
        .isEmpty();
  }

  @Test
  void whoIsMissingWroteWhatNobodyWrote() throws Exception {
    String lines =
        """
        {"session":1,"ops":[["w","x",1]]}
        {"session":2,"ops":[["r","x",9],["r","l",[8]]]}
        {"session":2,"ops":[["r","x",1]]}
        {"session":2,"ops":[["r","x",%d]]}
        """;
    assertThat(check(read(lines.formatted(1))).violated(Level.READ_COMMITTED)).isTrue();
    History history = read(lines.formatted(1), ReadOptions.NONE.incomplete(true));
    assertThat(check(history).holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    assertThat(history.metadata().get("note.incomplete"))
        .contains("no recorded transaction wrote 2 values that were read");
    // Whichever transaction wrote 9, it was there before 1.
    assertThat(
            check(read(lines.formatted(9), ReadOptions.NONE.incomplete(true)))
                .violated(Level.CAUSAL))
        .isTrue();
    ParseException e =
        catchThrowableOfType(
            ParseException.class,
            () ->
                read(
                    "{\"session\":1,\"ops\":[[\"rc\",\"x\",1]]}",
                    ReadOptions.NONE.incomplete(true)));
    assertThat(e.getMessage()).contains("counters");
  }
}
