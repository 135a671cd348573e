package dev.assay.check;

import static dev.assay.check.Lines.check;
import static dev.assay.check.Lines.types;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.format.ParseException;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Histories of sets as if each element were a register. */
class TypesAsRegistersTest {
  private static List<Level> open(Report report) {
    return Level.surveyed().stream()
        .filter(level -> report.verdict(level) instanceof Verdict.Unknown)
        .filter(level -> !level.needsRealTime())
        .toList();
  }

  @Test
  void anArgumentSpeaksOfTheElementThatIsMissing() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","s",4],["add","t",5]]}
            {"session":2,"ops":[["rs","t",[]],["rs","s",[4]]]}
            """);
    assertThat(types(report))
        .containsExactly(
            AnomalyType.FRACTURED_READ_CO, AnomalyType.INITIAL_READ, AnomalyType.G_SINGLE_ITEM);
    Anomaly fractured = report.anomalies().get(0);
    Explanation told =
        new Explainer(report.history()).explain(fractured.type(), fractured.witnesses().get(0));
    assertThat(told.toString())
        .contains("T2/#1 read t = {} without 5, although it follows T1/#1, which added it")
        .contains("T1/#1 added 5 to t, which had been without it")
        .contains("T2/#1 follows T1/#1, which added 5 to t, yet read t without it: that must be")
        .contains("T2/#1 read s = {4}, with 4, which T1/#1 added")
        .contains("T2/#1 read t = {}, without it");
  }

  @Test
  void aSetThatIsReadAsARegisterLeavesLevelsOpen() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","k",1],["rs","l",[]]]}
            {"session":1,"outcome":"aborted","ops":[["r","k",5]]}
            {"session":2,"ops":[["rs","k",[]],["add","l",3]]}
            """);
    assertThat(report.verdict(Level.SNAPSHOT_ISOLATION))
        .isEqualTo(
            new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, "the key k is not used only as a set"));
  }

  @Test
  void onlyASetThatLacksWhatCameLaterIsAnIntermediateRead() throws ParseException {
    String twoAdditions = "{\"session\":1,\"ops\":[[\"add\",\"y\",1],[\"add\",\"y\",2],%s]}\n";
    String reader = "{\"session\":2,\"ops\":[[\"rs\",\"y\",[%d]]]}\n";
    String third = "[\"add\",\"z\",3]";
    Report earlier = check(twoAdditions.formatted(third) + reader.formatted(1));
    assertThat(types(earlier)).contains(AnomalyType.INTERMEDIATE_READ);
    assertThat(earlier.holds(Level.ADYA_READ_COMMITTED)).isFalse();
    Report later = check(twoAdditions.formatted(third) + reader.formatted(2));
    assertThat(types(later))
        .contains(AnomalyType.FRACTURED_READ_CO, AnomalyType.G_SINGLE_ITEM)
        .doesNotContain(AnomalyType.INTERMEDIATE_READ);
    assertThat(later.holds(Level.ADYA_READ_COMMITTED)).isTrue();
    assertThat(later.holds(Level.READ_ATOMIC)).isFalse();
    // An element that is added again was there already.
    String again = "[\"add\",\"y\",1]";
    assertThat(types(check(twoAdditions.formatted(again) + reader.formatted(1))))
        .contains(AnomalyType.INTERMEDIATE_READ);
    assertThat(types(check(twoAdditions.formatted(again) + reader.formatted(2))))
        .doesNotContain(AnomalyType.INTERMEDIATE_READ);
  }

  @Test
  void anIntermediateReadOfASetNamesAnElementThatItLacks() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","y",1],["add","y",2],["add","y",3]]}
            {"session":2,"ops":[["rs","y",[1,3]]]}
            """);
    Anomaly intermediate = report.anomalies().get(0);
    assertThat(intermediate.type()).isEqualTo(AnomalyType.INTERMEDIATE_READ);
    Explanation told =
        new Explainer(report.history())
            .explain(intermediate.type(), intermediate.witnesses().get(0));
    assertThat(told.headline())
        .isEqualTo(
            "intermediate read: T2/#1 read y = {1 3}, part of what T1/#1 wrote,"
                + " but T1/#1 later added 2 to y");
  }

  @Test
  void aTransactionThatWasRunAgainIsTheOneThatWasSeen() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"aborted","ops":[["add","s",1],["rs","s"]]}
            {"session":1,"ops":[["add","s",1]]}
            {"session":2,"ops":[["rs","s",[1]]]}
            """);
    assertThat(open(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void whoAddedWhatSeveralTransactionsAddedIsAMatterOfChoice() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add","s",1],["rs","u",[]]]}
            {"session":2,"ops":[["rs","s",[]],["add","s",1],["add","u",2]]}
            {"session":3,"ops":[["rs","s",[1]],["rs","u",[]]]}
            {"session":4,"ops":[["rs","u",[2]],["rs","s",[]]]}
            """);
    assertThat(open(report)).isEmpty();
    assertThat(report.violated(Level.READ_COMMITTED)).isTrue();
    assertThat(report.anomalies()).isNotEmpty();
  }

  @Test
  void whatSeveralTransactionsAddedLeavesLevelsOpenWhereChoicesAreMany() {
    HistoryBuilder builder = new HistoryBuilder();
    List<Long> elements = LongStream.range(0, 13).boxed().toList();
    for (String session : List.of("one", "other")) {
      builder.begin(builder.session(session), Outcome.COMMITTED);
      elements.forEach(element -> builder.add("s", element));
    }
    builder.begin(builder.session("reading"), Outcome.COMMITTED);
    builder.readSet("s", elements);
    Report report = Assay.check(builder.build(), Level.surveyed(), Budget.unlimited());
    assertThat(report.verdict(Level.READ_COMMITTED).why())
        .isEqualTo("the element 0 was added to the set s by several transactions");
  }

  @Test
  void anAdditionOfAnAbortedAndOfALostTransactionMayBeOfEither() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"outcome":"aborted","ops":[["add","s",1]]}
            {"session":2,"outcome":"indeterminate","ops":[["add","s",1],["add","t",1]]}
            {"session":3,"ops":[["rs","s",[1]],["rs","t",[]]]}
            """);
    assertThat(open(report)).isEmpty();
    assertThat(report.violated(Level.READ_ATOMIC)).isTrue();
  }

  @Test
  void keysThatAreNumbersAreNotTakenForElements() throws ParseException {
    Report report =
        check(
            """
            {"session":1,"ops":[["add",0,7],["add",0,8],["w",1,1],["w",2,1],["w",4,1]]}
            {"session":2,"ops":[["rs",0,[7,8]],["r",1,1],["r",2,1],["r",4,1]]}
            """);
    assertThat(open(report)).isEmpty();
    assertThat(report.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
  }

  @Test
  void setsOfWhichReadsLackTooMuchAreLeftOpen() {
    HistoryBuilder builder = new HistoryBuilder();
    int adding = builder.session("adding");
    int reading = builder.session("reading");
    for (long i = 0; i < 3_000; i++) {
      builder.begin(adding, Outcome.COMMITTED);
      builder.add("s", i);
      builder.begin(reading, Outcome.COMMITTED);
      builder.readSet("s", i % 2 == 0 ? List.of() : List.of(0L));
    }
    Report report = Assay.check(builder.build(), Level.surveyed(), Budget.unlimited());
    assertThat(report.verdict(Level.CAUSAL))
        .isEqualTo(
            new Verdict.Unknown(
                Verdict.Reason.UNSUPPORTED, "reads of sets would need 9,000,000 element lookups"));
  }
}
