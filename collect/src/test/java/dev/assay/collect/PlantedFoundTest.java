package dev.assay.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checkers find what generators plant, and nothing in what keeps its level. */
class PlantedFoundTest {
  /** What the checkers of this version name; the cycles of Adya's graph come later. */
  private static final Set<AnomalyType> NAMED =
      EnumSet.range(AnomalyType.THIN_AIR_READ, AnomalyType.INITIAL_READ);

  private static WorkloadSpec spec(long seed) {
    return WorkloadSpec.builder()
        .sessions(5)
        .transactionsPerSession(60)
        .operations(1, 6)
        .keys(20)
        .seed(seed)
        .build();
  }

  static List<String> plantable() {
    return Planted.ids().stream()
        .filter(id -> NAMED.contains(AnomalyType.find(id).orElseThrow()))
        .toList();
  }

  private static Report check(Generator generator) {
    return Assay.check(generator.history(), Level.surveyed(), Budget.unlimited());
  }

  @ParameterizedTest
  @MethodSource("plantable")
  void aPlantedAnomalyIsFoundInAHistoryThatIsOtherwiseSerializable(String id) {
    AnomalyType type = AnomalyType.find(id).orElseThrow();
    for (long seed = 0; seed < 5; seed++) {
      Report report = check(new Generator(spec(seed), StoreLevel.SERIALIZABLE).plant(id));
      assertThat(report.anomalies()).as("%s, seed %d", id, seed).anyMatch(a -> a.type() == type);
      for (Level level : type.forbiddenBy()) {
        assertThat(report.holds(level)).as("%s with %s", level, id).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plantable")
  void everyPlantedInstanceIsCounted(String id) {
    AnomalyType type = AnomalyType.find(id).orElseThrow();
    Generator generator = new Generator(spec(1), StoreLevel.SERIALIZABLE).plant(id).plantEvery(30);
    Report report = check(generator);
    long count =
        report.anomalies().stream().filter(a -> a.type() == type).mapToLong(a -> a.count()).sum();
    assertThat(count).as(id).isGreaterThanOrEqualTo(10);
  }

  @ParameterizedTest
  @EnumSource(StoreLevel.class)
  void aStoreIsNeverFoundToViolateWhatItGuarantees(StoreLevel store) {
    if (store.guarantee() == null) {
      return;
    }
    Level guaranteed = Level.find(store.guarantee()).orElseThrow();
    for (long seed = 0; seed < 20; seed++) {
      Report report = check(new Generator(spec(seed), store));
      report
          .verdicts()
          .forEach(
              (level, verdict) ->
                  assertThat(guaranteed.implies(level) && report.violated(level))
                      .as("%s on a %s store, seed %s", level, store, report.anomalies())
                      .isFalse());
    }
  }

  @Test
  void storesThatGiveLessAreCaught() {
    assertThat(violations(StoreLevel.READ_COMMITTED, Level.READ_ATOMIC)).isPositive();
    assertThat(violations(StoreLevel.READ_ATOMIC, Level.CAUSAL)).isPositive();
    assertThat(violations(StoreLevel.NONE, Level.READ_COMMITTED)).isPositive();
  }

  private static int violations(StoreLevel store, Level level) {
    int violations = 0;
    for (long seed = 0; seed < 5; seed++) {
      violations += check(new Generator(spec(seed), store)).violated(level) ? 1 : 0;
    }
    return violations;
  }
}
