package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.adya.KnownOrderChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.check.weak.WeakChecker;
import dev.assay.explain.Explainer;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Arguments say which of their steps rest on a certificate or on an assumption. */
class PremisesTest {
  private static final String STALE =
      """
      {"session":1,"id":"A","ops":[["w","x",1]]}
      {"session":2,"id":"B","ops":[["w","x",2],["w","y",1]]}
      {"session":3,"id":"C","ops":[["r","y",1],["r","x",1]]}
      """;

  private static List<String> certified(
      String history, String certificate, Level level, List<LevelChecker> checkers)
      throws ParseException {
    History read = Lines.history(history);
    VersionCertificate given = Lines.certificate(certificate, read);
    return sentences(read, new Given(Assumption.DEFAULT, given), level, checkers);
  }

  private static List<String> assuming(String history, Assumption assumption, Level level)
      throws ParseException {
    Given given = new Given(Set.of(assumption), VersionCertificate.NONE);
    return sentences(Lines.history(history), given, level, Assay.checkers());
  }

  private static List<String> sentences(
      History history, Given given, Level level, List<LevelChecker> checkers) {
    CheckOptions options = CheckOptions.of(Set.of(level)).given(given);
    boolean all = checkers.equals(Assay.checkers());
    return sentences(Assay.check(history, all ? options : options.onlyBy(checkers)));
  }

  private static List<String> sentences(Report report) {
    List<String> sentences = new ArrayList<>();
    for (Anomaly anomaly : report.anomalies()) {
      for (Evidence evidence : anomaly.witnesses()) {
        sentences.addAll(new Explainer(report.history()).explain(anomaly, evidence).sentences());
      }
    }
    return sentences;
  }

  @Test
  void anOrderOfRegistersNamesTheCertificate() throws ParseException {
    String order = "{\"key\":\"x\",\"versions\":[1,2]}\n";
    String expected =
        "A wrote x = 1, which B overwrote with 2, because the certificate c.jsonl says so";
    assertThat(certified(STALE, order, Level.SNAPSHOT_ISOLATION, Assay.checkers()))
        .contains(expected);
    assertThat(certified(STALE, order, Level.SNAPSHOT_ISOLATION, List.of(new PolygraphChecker())))
        .contains(expected);
    assertThat(certified(STALE, order, Level.CAUSAL, Assay.checkers()))
        .anyMatch(sentence -> sentence.endsWith("the certificate c.jsonl says so"));
  }

  @Test
  void aReportThatIsCutShortNamesTheCertificateToo() throws ParseException {
    LevelChecker slow =
        new LevelChecker() {
          @Override
          public String name() {
            return "slow";
          }

          @Override
          public Findings check(Subject subject) {
            while (!subject.budget().expired()) {
              Thread.onSpinWait();
            }
            return new Findings(Map.of(), List.of(), List.of());
          }
        };
    History history = Lines.history(STALE);
    String order = "{\"key\":\"x\",\"pairs\":[[1,2]]}\n";
    Given given = new Given(Assumption.DEFAULT, Lines.certificate(order, history));
    Report report =
        Assay.check(
            history,
            CheckOptions.of(Set.of(Level.SNAPSHOT_ISOLATION, Level.CAUSAL))
                .given(given)
                .within(Budget.of(Duration.ofSeconds(3)))
                .onlyBy(List.of(new KnownOrderChecker(), slow, new WeakChecker())));
    assertThat(report.verdict(Level.CAUSAL)).isInstanceOf(Verdict.Unknown.class);
    assertThat(sentences(report))
        .contains(
            "A wrote x = 1, which B overwrote with 2,"
                + " because the certificate c.jsonl says so");
  }

  @Test
  void anOrderThroughATransactionThatTheArgumentLeavesOutNamesTheCertificate()
      throws ParseException {
    String history =
        """
        {"session":1,"id":"A","ops":[["w","x",1]]}
        {"session":2,"id":"M","ops":[["w","x",3]]}
        {"session":3,"id":"B","ops":[["w","x",2],["w","y",1]]}
        {"session":4,"id":"C","ops":[["r","y",1],["r","x",1]]}
        """;
    assertThat(
            certified(
                history,
                "{\"key\":\"x\",\"versions\":[1,3,2]}\n",
                Level.SNAPSHOT_ISOLATION,
                List.of(new PolygraphChecker())))
        .contains(
            "A wrote x = 1, which B overwrote with 2,"
                + " because the certificate c.jsonl says so");
  }

  @Test
  void anOrderOfListsNamesTheCertificateOnlyWhereNoReadShowsIt() throws ParseException {
    String history =
        """
        {"session":1,"id":"A","ops":[["append","x",1]]}
        {"session":2,"id":"B","ops":[["append","x",2],["append","y",1]]}
        {"session":3,"id":"C","ops":[["append","x",3],["append","y",2]]}
        {"session":4,"id":"D","ops":[["r","x",[1]],["r","y",[2,1]]]}
        """;
    List<String> sentences =
        certified(
            history,
            "{\"key\":\"x\",\"versions\":[1,2,3]}\n",
            Level.SERIALIZABLE,
            Assay.checkers());
    assertThat(sentences)
        .anyMatch(sentence -> sentence.endsWith("because the certificate c.jsonl says so"));
    assertThat(sentences).contains("C appended 2 to y, before B appended 1");
  }

  @Test
  void anOrderThatIsAssumedSaysWhatIsAssumedAndWhatItFollowsFrom() throws ParseException {
    String history =
        """
        {"session":1,"id":"A","ops":[["w","x",1]]}
        {"session":2,"id":"B","ops":[["w","x",2],["w","y",1]]}
        {"session":4,"id":"D","ops":[["r","x",1]]}
        {"session":4,"id":"E","ops":[["r","x",2]]}
        {"session":3,"id":"C","ops":[["r","y",1],["r","x",1]]}
        """;
    List<String> sentences =
        assuming(history, Assumption.SEQUENTIAL_KEYS, Level.SNAPSHOT_ISOLATION);
    assertThat(sentences)
        .contains(
            "A wrote x = 1, which B overwrote with 2,"
                + " assuming that a session sees the versions of each key in order")
        .contains("D came before E in session 4")
        .noneMatch(sentence -> sentence.contains("the reverse order"));
  }
}
