package dev.assay.level;

import static org.assertj.core.api.Assertions.assertThat;

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
}
