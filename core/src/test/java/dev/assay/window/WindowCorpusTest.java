package dev.assay.window;

import dev.assay.Assay;
import dev.assay.corpus.Corpus;
import dev.assay.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The law of windows on real histories: the corpus, the files of reviews, and recordings of
 * databases, some of which were killed meanwhile.
 */
class WindowCorpusTest {
  private static final Path RECORDED =
      Path.of("src", "test", "resources", "dev", "assay", "window", "recorded");

  private static final Path REVIEWED = Path.of("..", "cli", "src", "test", "resources", "review");

  /** The maximum number of transactions of the histories compared in each run of the tests. */
  private static final int MOST = 60;

  private static void compare(Law law, Path file) throws Exception {
    compare(law, Assay.read(file));
  }

  private static void compare(Law law, History history) {
    List<Line> lines = new ArrayList<>(Line.of(history));
    if (history.hasTimes()) {
      lines.sort(Comparator.comparingLong(Line::time));
    }
    law.compare(lines, history);
  }

  private static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().matches(".*\\.(jsonl|txt)(\\.gz)?"))
          .sorted()
          .toList();
    }
  }

  @Test
  void recordingsOfDatabasesAreJudgedAsAWhole() throws Exception {
    Law law = new Law(1);
    for (Path file : in(RECORDED)) {
      compare(law, file);
    }
    law.assertHolds(0);
  }

  @Test
  void theHistoriesOfElleAreJudgedAsAWhole() throws Exception {
    Law law = new Law(5);
    for (History history : Corpus.elle()) {
      compare(law, history);
    }
    law.assertHolds(0);
  }

  @Test
  void theFilesOfReviewsAreJudgedAsAWhole() throws Exception {
    Law law = new Law(2);
    for (Path file : in(REVIEWED)) {
      compare(law, file);
    }
    // Files with counters or predicates are not judged window by window.
    law.assertHolds(54);
  }

  @Test
  void smallHistoriesOfTheCorpusAreJudgedAsAWhole() throws Exception {
    Law law = new Law(3);
    for (Path file : Corpus.histories()) {
      History history = Assay.read(file);
      if (history.transactionCount() <= MOST) {
        compare(law, history);
      }
    }
    law.assertHolds(0);
  }

  @Test
  @Tag("extended")
  void theCorpusIsJudgedAsAWhole() throws Exception {
    Law law = new Law(4);
    for (Path file : Corpus.histories()) {
      compare(law, file);
    }
    if (Corpus.isPresent()) {
      for (Path file : in(Corpus.file("review"))) {
        compare(law, file);
      }
    }
    law.assertHolds(0);
  }
}
