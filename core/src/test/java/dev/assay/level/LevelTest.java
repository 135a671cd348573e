package dev.assay.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LevelTest {
  @Test
  void everyNameMeansOneLevel() {
    Map<String, Level> names = new HashMap<>();
    for (Level level : Level.values()) {
      assertThat(Level.find(level.id())).contains(level);
      assertThat(names.put(level.id(), level)).isNull();
      for (String alias : level.aliases()) {
        Level other = names.put(alias.toLowerCase(Locale.ROOT), level);
        assertThat(other == null || other == level).as(alias).isTrue();
        assertThat(Level.find(alias)).contains(level);
      }
    }
    assertThat(Level.find("pl-2.99")).contains(Level.REPEATABLE_READ);
    assertThat(Level.find("nonsense")).isEmpty();
  }

  @Test
  void implicationIsAPartialOrder() {
    for (Level a : Level.values()) {
      assertThat(a.implies(a)).isTrue();
      for (Level b : Level.values()) {
        assertThat(a != b && a.implies(b) && b.implies(a)).as(a + " = " + b).isFalse();
        for (Level c : Level.values()) {
          assertThat(!a.implies(b) || !b.implies(c) || a.implies(c)).isTrue();
        }
      }
    }
  }

  @Test
  void levelsWithoutSessionOrderDoNotImplyThoseWithIt() {
    for (Level strong :
        List.of(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION, Level.REPEATABLE_READ)) {
      assertThat(strong.implies(Level.READ_COMMITTED)).isFalse();
      assertThat(strong.implies(Level.READ_YOUR_WRITES)).isFalse();
    }
    assertThat(Level.STRICT_SERIALIZABLE.implies(Level.READ_COMMITTED)).isTrue();
  }

  @Test
  void theFrontierKeepsOnlyWhatNothingElseImplies() {
    List<Level> levels = List.of(Level.CAUSAL, Level.READ_COMMITTED, Level.SERIALIZABLE);
    assertThat(Level.maximal(levels)).containsExactlyInAnyOrder(Level.CAUSAL, Level.SERIALIZABLE);
    assertThat(Level.minimal(levels))
        .containsExactlyInAnyOrder(Level.SERIALIZABLE, Level.READ_COMMITTED);
  }

  @Test
  void strongerLevelsForbidWhatWeakerOnesDo() {
    for (AnomalyType type : AnomalyType.values()) {
      assertThat(type.forbiddenBy()).as(type.id()).isNotEmpty();
      assertThat(AnomalyType.find(type.id())).contains(type);
      for (Level level : type.forbiddenBy()) {
        assertThat(type.forbiddenBy()).containsAll(level.andStronger());
      }
    }
  }

  @Test
  void readConsistencyIsForbiddenByTheLevelsThatTheSpecificationNames() {
    assertThat(AnomalyType.forbiddenBy(Level.CUT_ISOLATION))
        .containsExactly(AnomalyType.NON_REPEATABLE_READ);
    assertThat(AnomalyType.INTERMEDIATE_READ.forbiddenBy())
        .contains(Level.ADYA_READ_COMMITTED, Level.MONOTONIC_READS)
        .doesNotContain(Level.READ_UNCOMMITTED, Level.CUT_ISOLATION);
    assertThat(AnomalyType.FUTURE_READ.forbiddenBy())
        .contains(Level.READ_COMMITTED, Level.REPEATABLE_READ, Level.ADYA_READ_COMMITTED)
        .doesNotContain(Level.READ_UNCOMMITTED, Level.CUT_ISOLATION);
    assertThat(AnomalyType.NON_REPEATABLE_READ.forbiddenBy())
        .contains(Level.READ_ATOMIC, Level.REPEATABLE_READ, Level.SNAPSHOT_ISOLATION)
        .doesNotContain(Level.READ_COMMITTED);
  }

  @Test
  void noTwoLevelsHaveOneRule() {
    Map<String, Level> rules = new HashMap<>();
    for (Level level : Level.surveyed()) {
      String rule = level.cycles() + " " + level.axiom() + " " + level.orders() + level.reads();
      assertThat(rules.put(rule, level)).as("%s: %s", level, rule).isNull();
    }
  }

  @Test
  void aCycleIsNamedByTheKindsOfItsEdges() {
    assertThat(cycle("ww ww").type()).isEqualTo(AnomalyType.G0);
    assertThat(cycle("ww wr").type()).isEqualTo(AnomalyType.G1C);
    assertThat(cycle("so wr").type()).isEqualTo(AnomalyType.G1C_PROCESS);
    assertThat(cycle("so ww rt").type()).isEqualTo(AnomalyType.G0_REALTIME);
    assertThat(cycle("timestamp rw").type()).isEqualTo(AnomalyType.G_SINGLE_ITEM_REALTIME);
    assertThat(cycle("rw wr rw wr").type()).isEqualTo(AnomalyType.G_NONADJACENT_ITEM);
    assertThat(cycle("rw ww rw").type()).isEqualTo(AnomalyType.G2_ITEM);
    assertThat(new Cycle(kinds("rw rw"), true).type()).isEqualTo(AnomalyType.G2);
    assertThat(new Cycle(kinds("ww wr"), true).type()).isEqualTo(AnomalyType.G1C);
  }

  @Test
  void aCycleViolatesWhatForbidsItsNameAndWhatForbidsItsForm() {
    assertThat(Level.minimal(cycle("rw wr so").violates()))
        .containsExactly(
            Level.STRONG_SESSION_REPEATABLE_READ, Level.PARALLEL_SNAPSHOT_ISOLATION, Level.PREFIX);
    assertThat(cycle("rw so so").violates()).contains(Level.UPDATE_ATOMIC, Level.PREFIX);
    assertThat(cycle("rw ww").violates())
        .contains(Level.UPDATE_ATOMIC)
        .doesNotContain(Level.PREFIX, Level.CAUSAL);
    assertThat(cycle("rw wr rw wr").violates())
        .contains(Level.PREFIX, Level.SNAPSHOT_ISOLATION)
        .doesNotContain(Level.CONSISTENT_VIEW, Level.UPDATE_ATOMIC);
    for (AnomalyType type : AnomalyType.values()) {
      if (type.cycleKind() != null) {
        assertThat(AnomalyType.ofCycle(type.cycleKind(), type.isByPredicate(), type.orders()))
            .isEqualTo(type);
      }
    }
  }

  private static Cycle cycle(String kinds) {
    return new Cycle(kinds(kinds), false);
  }

  private static List<EdgeKind> kinds(String kinds) {
    return Arrays.stream(kinds.split(" "))
        .map(kind -> EdgeKind.valueOf(kind.toUpperCase(Locale.ROOT)))
        .toList();
  }
}
