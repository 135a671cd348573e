package dev.assay.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The verdicts about the histories of this repository go through the verifier. */
class HistoriesProvenTest {
  private static final Path HISTORIES = Path.of("..", "histories");

  @Test
  void verdictsAboutTheHistoriesFolderAreProven() throws IOException {
    Verifier verifier = new Verifier();
    List<Path> files;
    try (Stream<Path> all = Files.walk(HISTORIES)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    int histories = 0;
    for (Path file : files) {
      History history;
      try {
        history = Assay.read(file);
      } catch (ParseException e) {
        continue;
      }
      if (history.transactionCount() <= 1_000) {
        Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
        verifier.accepts(report, file);
        histories++;
      }
    }
    assertThat(histories).isGreaterThan(30);
    assertThat(verifier.unproven()).isEmpty();
  }
}
