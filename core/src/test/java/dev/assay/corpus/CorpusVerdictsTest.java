package dev.assay.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The verdicts published with the corpus, where it is there. */
class CorpusVerdictsTest {
  private static final List<Level> WEAK =
      List.of(Level.READ_COMMITTED, Level.READ_ATOMIC, Level.CAUSAL);

  private static Report check(Path file) throws Exception {
    return Assay.check(Assay.read(file), Level.surveyed(), Budget.unlimited());
  }

  private static void assertWeak(Path file, Report report, String... expected) {
    for (int i = 0; i < WEAK.size(); i++) {
      assertThat(report.verdict(WEAK.get(i)).id())
          .as("%s of %s", WEAK.get(i), file)
          .isEqualTo(expected[i]);
    }
  }

  @Test
  void everyTransactionalAnomalousPatternIsNamedAndViolatesItsLevels() throws Exception {
    for (String[] row : Corpus.table("taps.tsv")) {
      Path file = Corpus.file("taps/" + row[0] + ".txt");
      Report report = check(file);
      assertWeak(file, report, row[3], row[4], row[5]);
      assertThat(report.anomalies())
          .as(row[0])
          .anyMatch(a -> a.type().id().equals(row[2]) && row[1].equals(a.type().plume()));
    }
  }

  /** In 66 of its 120 transactions causal order has cycles. */
  @Test
  void everyPatternInsideCyclesOfCausalOrderIsCounted() throws Exception {
    if (!Corpus.isPresent()) {
      return;
    }
    Report report = check(Corpus.file("weak/bugs_antidote.txt.gz"));
    Map<String, Long> counts = new TreeMap<>();
    report.anomalies().forEach(anomaly -> counts.put(anomaly.type().id(), anomaly.count()));
    assertThat(counts)
        .containsEntry("non-monotonic-read-co", 106L)
        .containsEntry("fractured-read-co", 840L)
        .containsEntry("co-conflict", 2966L);
  }

  @Test
  void realHistoriesHaveTheWeakLevelsOfTheReferenceDecider() throws Exception {
    for (String[] row : Corpus.table("weak.tsv")) {
      Path file = Corpus.file(row[0]);
      assertWeak(file, check(file), row[1], row[2], row[3]);
    }
  }

  @Test
  void strongLevelsAreAsPublished() throws Exception {
    for (String[] row : Corpus.table("strong.tsv")) {
      Report report = check(Corpus.file(row[0]));
      assertAgrees(row[0], report, Level.STRONG_SESSION_SNAPSHOT_ISOLATION, row[1]);
      assertAgrees(row[0], report, Level.STRONG_SESSION_SERIALIZABLE, row[2]);
    }
  }

  private static void assertAgrees(String file, Report report, Level level, String expected) {
    assertThat(report.verdict(level).id()).as("%s of %s", level, file).isEqualTo(expected);
  }

  @Test
  void cornerCasesOnInitialValuesAndRepeatedReads() throws Exception {
    Path own = Path.of("..", "histories");
    Path stale = own.resolve("serializable/init-stale.txt");
    assertWeak(stale, check(stale), "holds", "violated", "violated");
    Path fractured = own.resolve("cursor-stability/init-fractured.txt");
    assertWeak(fractured, check(fractured), "violated", "violated", "violated");
    Path repeated = own.resolve("strong-session-serializable/init-repeated-read.txt");
    assertWeak(repeated, check(repeated), "holds", "holds", "holds");
  }
}
