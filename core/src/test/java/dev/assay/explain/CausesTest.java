package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausesTest {
  private static final Path HISTORIES = Path.of("../histories");

  private static Report report(String file) throws ParseException {
    return Assay.check(Assay.read(HISTORIES.resolve(file)), Level.surveyed(), Budget.unlimited());
  }

  private static List<Cause> causes(String file, Level judged) throws ParseException {
    Report report = report(file);
    return Causes.of(
        new Explainer(report.history()),
        report.anomalies(),
        anomaly -> anomaly.violates().stream().anyMatch(judged::implies));
  }

  @ParameterizedTest
  @CsvSource({
    "prefix/lost-update.txt, lost update, both read 1 = 0",
    "parallel-snapshot-isolation/long-fork.txt, long fork, T3 saw T1's write but not T2's",
    "strong-snapshot-isolation/write-skew.edn, write skew, each read what the other then changed",
    "cursor-stability/fractured-read.txt, read skew, saw T1's change of 1 but not",
    "cut-isolation/intermediate-read.txt, intermediate read, later wrote",
    "cut-isolation/thin-air.txt, thin-air read, no transaction wrote",
  })
  void aHistoryWithOneMistakeHasOneCause(String file, String name, String what)
      throws ParseException {
    List<Cause> causes = causes(file, Level.SERIALIZABLE);
    assertThat(causes).hasSize(1);
    Cause cause = causes.get(0);
    assertThat(cause.decides()).isTrue();
    assertThat(cause.story().name()).isEqualTo(name);
    assertThat(cause.story().what()).contains(what);
    assertThat(cause.story().isPlain()).isTrue();
    assertThat(cause.story().transactions()).isNotEmpty();
  }

  @Test
  void everyAnomalyBelongsToExactlyOneCause() throws ParseException {
    for (String file :
        List.of("prefix/lost-update.txt", "cursor-stability/tap-l.txt", "serializable/tap-g.txt")) {
      Report report = report(file);
      List<AnomalyType> named = new ArrayList<>();
      causes(file, Level.SERIALIZABLE).forEach(cause -> named.addAll(cause.names()));
      assertThat(named)
          .containsExactlyInAnyOrderElementsOf(
              report.anomalies().stream().map(anomaly -> anomaly.type()).toList());
    }
  }

  @Test
  void whatDecidesComesFirst() throws ParseException {
    List<Cause> causes = causes("serializable/tap-g.txt", Level.SERIALIZABLE);
    assertThat(causes).hasSize(1);
    assertThat(causes.get(0).decides()).isFalse();
    assertThat(causes.get(0).names()).contains(AnomalyType.CYCLIC_CAUSALITY);
    assertThat(causes("serializable/tap-g.txt", Level.CAUSAL).get(0).decides()).isTrue();
  }
}
