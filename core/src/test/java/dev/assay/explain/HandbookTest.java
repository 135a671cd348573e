package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandbookTest {
  @ParameterizedTest
  @EnumSource(Level.class)
  void everyLevelHasAPageWithAHistory(Level level) throws ParseException {
    String page = Handbook.page(level);
    assertThat(page).startsWith(level.id()).contains("Source: ");
    assertFits(page);
    assertThat(history(level.id()).transactionCount()).isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource(AnomalyType.class)
  void everyAnomalyHasAPageWithAHistory(AnomalyType type) throws ParseException {
    String page = Handbook.page(type);
    assertThat(page).startsWith(type.id()).contains("forbidden by: ").contains("Source: ");
    assertFits(page);
    assertThat(history(type.id()).transactionCount()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(AnomalyType.class)
  void aWalkNamesTransactionsOfItsHistory(AnomalyType type) throws ParseException {
    History history = history(type.id());
    String walk = Example.of(type.id()).walk();
    for (int i = 1; i < 10; i++) {
      if (walk.contains("T" + i)) {
        assertThat(i).as("T%d in the walk", i).isLessThanOrEqualTo(history.transactionCount());
      }
    }
  }

  /** Those that the checkers of single reads and of the weak levels decide. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "THIN_AIR_READ",
        "ABORTED_READ",
        "FUTURE_READ",
        "NOT_MY_OWN_WRITE",
        "NOT_MY_LAST_WRITE",
        "INTERMEDIATE_READ",
        "NON_REPEATABLE_READ",
        "DIRTY_UPDATE",
        "DUPLICATE_WRITE",
        "INCOMPATIBLE_ORDER",
        "LOST_WRITE",
        "CYCLIC_CAUSALITY",
        "NON_MONOTONIC_READ_CO",
        "NON_MONOTONIC_READ_CM",
        "FRACTURED_READ_CO",
        "FRACTURED_READ_CM",
        "CO_CONFLICT",
        "CM_CONFLICT",
        "INITIAL_READ"
      })
  void theExampleOfAnAnomalyShowsIt(AnomalyType type) throws ParseException {
    Report report = Assay.check(history(type.id()), Level.surveyed(), Budget.unlimited());
    assertThat(report.anomalies()).extracting(a -> a.type()).contains(type);
  }

  /** Lines of JSON cannot be broken; everything else fits an ordinary terminal. */
  private static void assertFits(String page) {
    assertThat(page.lines().filter(line -> !line.startsWith("  {")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void noLevelHoldsForTheHistoryItForbids(Level level) throws ParseException {
    Report report = Assay.check(history(level.id()), List.of(level), Budget.unlimited());
    assertThat(report.holds(level)).isFalse();
  }

  private static History history(String id) throws ParseException {
    byte[] bytes = Example.of(id).history().getBytes(StandardCharsets.UTF_8);
    return Formats.read(Input.of(id, bytes));
  }
}
