package dev.assay.format.checkers;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChronosTest {
  private static final Chronos CHRONOS = new Chronos();

  private static History read(String json) throws ParseException {
    return Formats.read(Input.of("file", json.getBytes(StandardCharsets.UTF_8)));
  }

  private static String txn(int id, String session, int start, int commit, String ops) {
    return """
        {"cts":{"l":0,"p":"%d"},"ops":[%s],"sid":%s,"sts":{"l":0,"p":%d},"tid":%d}"""
        .formatted(commit, ops, session, start, id);
  }

  private static String op(String type, int key, String value) {
    return "{\"t\":\"" + type + "\",\"k\":" + key + ",\"v\":" + value + "}";
  }

  @Test
  void readsRegistersWithTheirTimestamps() throws ParseException {
    History history =
        read(
            "["
                + txn(7, "1", 10, 12, op("w", 5, "3") + "," + op("READ", 6, "0"))
                + ",\n"
                + txn(8, "\"b\"", 13, 13, op("r", 5, "3"))
                + "]");
    assertThat(history.origin().format()).isEqualTo("chronos");
    assertThat(history.transactionCount()).isEqualTo(2);
    assertThat(history.ownId(0)).isEqualTo(7L);
    assertThat(history.sessionName(1)).isEqualTo("b");
    assertThat(history.snapshotTs(0)).isEqualTo(10);
    assertThat(history.commitTs(0)).isEqualTo(12);
    assertThat(history.zeroIsInitial()).isTrue();
    assertThat(history.position(1)).isEqualTo(2);
  }

  @Test
  void zeroIsAValueWhereNullWasRead() throws ParseException {
    History history = read("[" + txn(1, "1", 1, 2, op("r", 1, "null")) + "]");
    assertThat(history.zeroIsInitial()).isFalse();
  }

  @Test
  void nullIsAnEmptyListOnceSomethingIsAppended() throws ParseException {
    String first = txn(1, "1", 1, 2, op("r", 1, "null") + ",{\"t\":\"r\",\"k\":1}");
    String second = txn(2, "1", 3, 4, op("append", 1, "5") + "," + op("r", 1, "[5]"));
    History history = read("[" + first + "," + second + "]");
    HistoryBuilder same = new HistoryBuilder();
    int session = same.session(1);
    int one = same.begin(session, Outcome.COMMITTED);
    same.readList(1, List.of());
    same.readList(1, List.of());
    int two = same.begin(session, Outcome.COMMITTED);
    same.append(1, 5);
    same.readList(1, List.of(5));
    same.id(one, same.scalars().of(1));
    same.id(two, same.scalars().of(2));
    same.snapshotTs(one, 1);
    same.commitTs(one, 2);
    same.snapshotTs(two, 3);
    same.commitTs(two, 4);
    same.zeroIsInitial(true);
    assertSame(history, same.build());
  }

  @Test
  void bothPartsOfAClockOrderTransactionsAndAreWrittenBack() throws IOException, ParseException {
    String text =
        "[{\"tid\":1,\"sid\":1,\"sts\":{\"p\":1691420095436341,\"l\":61},"
            + "\"cts\":{\"p\":1691420095436341,\"l\":1000},\"ops\":[]}]";
    History history = read(text);
    assertThat(history.snapshotTs(0)).isLessThan(history.commitTs(0));
    assertThat(CHRONOS.losses(history)).isEmpty();
    String written = new String(Written.bytes(CHRONOS, history), StandardCharsets.UTF_8);
    assertThat(written).contains("\"sts\":{\"p\":1691420095436341,\"l\":61}", "\"l\":1000");
    assertSame(read(written), history);
  }

  @Test
  void timestampsShowWhatValuesAloneDoNot() throws ParseException {
    // The second transaction began after the first had committed, and did not see it.
    String text =
        "[" + txn(1, "1", 1, 2, op("w", 1, "1")) + "," + txn(2, "2", 5, 6, op("r", 1, "0")) + "]";
    History history = read(text);
    assertThat(verdict(history, Set.of())).isInstanceOf(Verdict.Unknown.class);
    assertThat(verdict(history, Set.of(Assumption.TIMESTAMPS)))
        .isInstanceOf(Verdict.Violated.class);
  }

  private static Verdict verdict(History history, Set<Assumption> assumptions) {
    CheckOptions options =
        CheckOptions.of(Set.of(Level.STRONG_SNAPSHOT_ISOLATION))
            .given(new Given(assumptions, VersionCertificate.NONE));
    return Assay.check(history, options).verdicts().get(Level.STRONG_SNAPSHOT_ISOLATION);
  }

  @Test
  void saysWhatIsWrong() {
    refused("[{\"tid\":1,\"sid\":1,\"ops\":[]}]", "without one of its fields");
    refused("[" + txn(1, "1", 3, 2, "") + "]", "commits before its start");
    refused("[" + txn(1, "1", 1, 2, op("x", 1, "1")) + "]", "another type");
    refused("[" + txn(1, "1", 1, 2, "{\"t\":\"w\",\"v\":1}") + "]", "without \"t\" or \"k\"");
    refused("[" + txn(1, "1", 1, 2, "") + ",", "ends inside a transaction");
    refused("[" + txn(1, "1", 1, 2, "") + "] 7", "a number");
    String big = "{\"p\":9000000000000000000,\"l\":5}";
    refused(
        "[{\"tid\":1,\"sid\":1,\"sts\":" + big + ",\"cts\":" + big + ",\"ops\":[]}]",
        "logical parts");
  }

  private static void refused(String text, String part) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining(part);
  }

  @Test
  void namesWhatItCannotSay() {
    HistoryBuilder builder = new HistoryBuilder();
    builder.begin(builder.session("s"), Outcome.ABORTED);
    builder.write("x", 1);
    builder.begin(builder.session("s"), Outcome.COMMITTED);
    builder.increment(1, 2);
    assertThat(CHRONOS.losses(builder.build()))
        .contains(
            "1 aborted transaction",
            "1 counter operation",
            "that the database gave no timestamps: the places of transactions in the history"
                + " stand in");
  }
}
