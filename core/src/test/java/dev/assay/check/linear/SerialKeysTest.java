package dev.assay.check.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.explain.Explainer;
import dev.assay.explain.Handbook;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What levels.md says about serializability with linearizable keys. */
class SerialKeysTest {
  private static final Level LEVEL = Level.SERIALIZABLE_LINEARIZABLE_KEYS;

  /** T2, T3, T1 is the only serial order, and T1 ended before T2 began. */
  private static final String[] AGAINST_X = {
    "{'id':'T1','session':'a','start':1,'end':2,'ops':[['w','x',1],['r','z',1]]}",
    "{'id':'T2','session':'b','start':3,'end':4,'ops':[['w','x',2],['r','y',null]]}",
    "{'id':'T3','session':'c','start':0,'end':5,'ops':[['w','y',1],['w','z',1]]}",
  };

  private static History history(String... lines) throws ParseException {
    String text = String.join("\n", lines).replace('\'', '"') + "\n";
    return Formats.read(Input.of("test.jsonl", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static Report check(History history, Level... more) {
    Set<Level> levels = EnumSet.of(LEVEL, more);
    return Assay.check(history, levels, Budget.unlimited());
  }

  private static Verdict.Reason reason(Report report) {
    return ((Verdict.Unknown) report.verdict(LEVEL)).reason();
  }

  @Test
  void itIsStrongerThanBothVerdictsAndThanTheAssumption() throws ParseException {
    History history = history(AGAINST_X);
    Report report = check(history, Level.SERIALIZABLE, Level.LINEARIZABLE);
    assertThat(report.holds(Level.SERIALIZABLE)).isTrue();
    assertThat(report.holds(Level.LINEARIZABLE)).isTrue();
    assertThat(report.violated(LEVEL)).isTrue();

    String[] reading = AGAINST_X.clone();
    reading[0] = reading[0].replace("['w','x',1]", "['r','x',null]");
    reading[1] = reading[1].replace("['w','x',2]", "['r','x',null]");
    History readers = history(reading);
    Given assuming = new Given(Set.of(Assumption.LINEARIZABLE_KEYS), Given.NOTHING.certificate());
    Report assumed =
        Assay.check(readers, Set.of(Level.SERIALIZABLE, LEVEL), assuming, Budget.unlimited());
    assertThat(assumed.holds(Level.SERIALIZABLE)).isTrue();
    assertThat(assumed.violated(LEVEL)).isTrue();
    assertThat(
            Assay.check(history, Set.of(Level.SERIALIZABLE), assuming, Budget.unlimited())
                .violated(Level.SERIALIZABLE))
        .isTrue();
  }

  @Test
  void realTimeBetweenTransactionsWithoutACommonKeyDoesNotMatter() throws ParseException {
    String[] apart = AGAINST_X.clone();
    apart[1] = apart[1].replace("'x'", "'u'");
    Report report = check(history(apart), Level.STRICT_SERIALIZABLE);
    assertThat(report.holds(LEVEL)).isTrue();
    assertThat(report.violated(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  /** Reads, conditions that failed, and reads whose result is not known. */
  @Test
  void whateverCameOfAnOperationItAccessesItsKey() throws ParseException {
    for (String access :
        List.of("['r','x',null]", "['cas','x',7,8,false]", "['r','x']", "['add','x',1]")) {
      String[] lines = AGAINST_X.clone();
      lines[0] = lines[0].replace("['w','x',1]", access);
      lines[1] = lines[1].replace("['w','x',2]", access.replace(",1]", ",2]"));
      Report report = check(history(lines), Level.SERIALIZABLE);
      assertThat(report.holds(Level.SERIALIZABLE)).as(access).isTrue();
      assertThat(report.violated(LEVEL)).as(access).isTrue();
    }
  }

  @Test
  void theKeyIsNamedWhereRealTimeMatters() throws ParseException {
    Report report = check(history(AGAINST_X));
    assertThat(report.anomalies()).hasSize(1);
    Explainer explainer = new Explainer(report.history());
    assertThat(report.anomalies().get(0).witnesses().get(0).edges())
        .extracting(explainer::sentence)
        .contains("T1 ended before T2 began, and both accessed x");
  }

  @Test
  void itIsSettledByOthersWhereItIsNotDecided() throws ParseException {
    String predicate =
        "{'session':'p','start':6,'end':7,'ops':[['select',{'where':['=','v',2]},[['x',2]]]]}";
    String[] lines = {AGAINST_X[0], AGAINST_X[1], AGAINST_X[2], predicate};
    Report open = check(history(lines));
    assertThat(open.verdicts().keySet()).containsExactly(LEVEL);
    assertThat(reason(open)).isEqualTo(Verdict.Reason.UNSUPPORTED);

    String skew1 = "{'session':'a','start':1,'end':9,'ops':[['r','x',null],['w','y',1]]}";
    String skew2 = "{'session':'b','start':1,'end':9,'ops':[['r','y',null],['w','x',1]]}";
    Report violated = check(history(skew1, skew2));
    assertThat(violated.violated(LEVEL)).isTrue();
    assertThat(violated.anomalies()).hasSize(1);
    Report both = check(history(skew1, skew2), Level.SERIALIZABLE);
    assertThat(both.anomalies()).hasSize(1);
    assertThat(both.anomalies().get(0).violates()).contains(Level.SERIALIZABLE);
  }

  @Test
  void withoutTimesItCanOnlyBeViolated() throws ParseException {
    String write = "{'session':'a','ops':[['w','x',1]]}";
    assertThat(reason(check(history(write)))).isEqualTo(Verdict.Reason.NO_REALTIME);
    Report stale = check(history(write, "{'session':'a','ops':[['r','x',null]]}"));
    assertThat(stale.violated(LEVEL)).isTrue();
    assertThat(stale.anomalies())
        .extracting(a -> a.type().id())
        .containsExactly("G-single-item-process");
  }

  /** Who reads what was loaded is still known when the loader must come before others. */
  @Test
  void whatWasLoadedIsReadFromItsLoader() throws ParseException {
    String header = "{'assay':1,'initial':0}";
    String loader = "{'session':'l','start':1,'end':2,'ops':[['w','x',0],['w','z',0]]}";
    String writer = "{'session':'w','start':3,'end':4,'ops':[['w','x',1]]}";
    String reader = "{'session':'r','start':%d,'end':9,'ops':[['r','x',0]]}";
    Report stale = check(history(header, loader, writer, reader.formatted(5)), Level.SERIALIZABLE);
    assertThat(stale.holds(Level.SERIALIZABLE)).isTrue();
    assertThat(stale.violated(LEVEL)).isTrue();
    assertThat(check(history(header, loader, writer, reader.formatted(4))).holds(LEVEL)).isTrue();
    // It read x from the loader, and missed what the loader wrote to z.
    String half = "{'session':'h','start':1,'end':9,'ops':[['r','x',0],['r','z',null]]}";
    assertThat(check(history(header, loader, writer, half)).violated(LEVEL)).isTrue();
  }

  @Test
  void theLastWindowIsAskedAboutIt() throws Exception {
    History history = history(AGAINST_X);
    try (Monitor monitor = Monitor.open(MonitorOptions.of(Set.of(LEVEL)))) {
      monitor.accept(history);
      assertThat(monitor.finish().violated(LEVEL)).isTrue();
    }
    assertThat(Handbook.page(LEVEL)).contains("implied by:   strict-serializable");
  }
}
