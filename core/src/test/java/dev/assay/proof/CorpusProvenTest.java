package dev.assay.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.corpus.Corpus;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verdicts about the corpus go through the verifier, and mutants of their proofs too. */
class CorpusProvenTest {
  /** The verifier takes time that grows with the square of the transactions. */
  private static final int MAX_TRANSACTIONS = 1_500;

  /** Every mutant of a proof is verified, so their number grows with the history too. */
  private static final int MAX_OF_MUTANTS = 30;

  /** "2/8" is the second of eight parts. */
  private static final String[] PART = System.getProperty("assay.oracle.part", "1/1").split("/");

  private final Verifier verifier = new Verifier();
  private final Mutants mutants = new Mutants();
  private int histories;
  private int large;
  private int number;

  private void verify(History history, Object name) throws IOException {
    if (history.transactionCount() > MAX_TRANSACTIONS) {
      large++;
      return;
    }
    histories++;
    Budget budget = Budget.of(Duration.ofSeconds(5));
    Report report = Assay.check(history, Level.surveyed(), budget);
    verifier.accepts(report, Given.NOTHING, budget, name);
    if (history.transactionCount() <= MAX_OF_MUTANTS) {
      mutants.tryAll(report, Given.NOTHING);
    }
    writeCounts();
  }

  /** After each history, so that a run that was ended leaves what it came to. */
  private void writeCounts() throws IOException {
    Files.writeString(
        Path.of("target", "corpus-" + PART[0] + "-of-" + PART[1] + ".txt"),
        "%,d histories, %,d of more than %,d transactions left out; %s; %,d mutants refused%n"
            .formatted(histories, large, MAX_TRANSACTIONS, verifier, mutants.refused()));
  }

  private boolean isInPart() {
    return number++ % Integer.parseInt(PART[1]) == Integer.parseInt(PART[0]) - 1;
  }

  @Test
  @Tag("extended")
  void verdictsAboutTheCorpusAreProven() throws Exception {
    for (History history : Corpus.elle()) {
      if (isInPart()) {
        verify(history, "a case of Elle's tests");
      }
    }
    for (Path file : Corpus.histories()) {
      if (isInPart()) {
        read(file);
      }
    }
    assertThat(histories).isPositive();
  }

  private void read(Path file) throws IOException {
    History history;
    try {
      history = Assay.read(file);
    } catch (ParseException e) {
      return; // Broken files are in the corpus too.
    }
    verify(history, file);
  }
}
