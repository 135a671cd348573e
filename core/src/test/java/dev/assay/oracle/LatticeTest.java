package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arrows between levels, and the two definitions some levels have, on many histories. */
class LatticeTest {
  private final List<String> broken = new ArrayList<>();
  private final Map<Level, Set<Level>> separated = new EnumMap<>(Level.class);

  private void checkArrows(SmallHistory history) {
    Set<Level> holding = LevelOracle.holding(history);
    for (Level level : LevelOracle.DECIDED) {
      if (holding.contains(level)) {
        for (Level below : level.directlyImplies()) {
          if (!holding.contains(below)) {
            broken.add(level + " without " + below + ":\n" + history);
          }
        }
      } else {
        separated.computeIfAbsent(level, l -> EnumSet.noneOf(Level.class)).addAll(holding);
      }
    }
  }

  private static void random(int count, long seed, Shape shape, Consumer<SmallHistory> check) {
    RandomHistories histories = new RandomHistories(shape, seed);
    List<Supplier<SmallHistory>> kinds = List.of(histories::registers, histories::lists);
    for (int i = 0; i < count; i++) {
      check.accept(kinds.get(i % 2).get());
    }
  }

  @Test
  void eachLatticeArrowHoldsOnAllSmallHistories() {
    for (int txns = 1; txns <= 3; txns++) {
      SmallHistories.forEach(Size.committed(txns, 2, 2), this::checkArrows);
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void eachLatticeArrowHoldsOnSmallHistoriesOfAnyOutcome() {
    SmallHistories.forEach(Size.ofAnyOutcome(2, 2, 2), this::checkArrows);
    SmallHistories.forEach(Size.ofAnyOutcome(3, 1, 2).every(7), this::checkArrows);
    assertThat(broken).isEmpty();
  }

  @Test
  void eachLatticeArrowHoldsOnRandomHistories() {
    random(4_000, 1, Shape.committed(5, 3, 3), this::checkArrows);
    random(4_000, 2, Shape.committed(5, 2, 3).withTimes(), this::checkArrows);
    random(4_000, 3, Shape.committed(5, 2, 3).withTimes().withOutcomes(), this::checkArrows);
    assertThat(broken).isEmpty();
  }

  /** Otherwise an arrow might hold on the histories above only because nothing tells them apart. */
  @Test
  void theHistoriesTellAllLevelsApartThatTheLatticeTellsApart() {
    SmallHistories.forEach(Size.committed(3, 2, 2), this::checkArrows);
    random(20_000, 4, Shape.committed(5, 3, 3).withTimes(), this::checkArrows);
    List<String> same = new ArrayList<>();
    for (Level level : LevelOracle.DECIDED) {
      for (Level other : LevelOracle.DECIDED) {
        boolean told = separated.getOrDefault(level, Set.of()).contains(other);
        if (!other.implies(level) && !told) {
          same.add(other + " was never seen without " + level);
        }
      }
    }
    assertThat(same).containsExactlyInAnyOrder();
  }

  @Test
  void axiomsAndGraphAgreeWhereALevelHasBothDefinitions() {
    Consumer<SmallHistory> check =
        history -> {
          Set<Level> byAxiom = LevelOracle.holding(history);
          byAxiom.retainAll(DependencyGraph.ALSO_BY_AXIOM);
          assertThat(LevelOracle.holdingByGraph(history)).as("%s", history).isEqualTo(byAxiom);
        };
    SmallHistories.forEach(Size.committed(3, 2, 2), check);
    random(6_000, 5, Shape.committed(5, 3, 3), check);
  }

  @Test
  void causalByAcyclicityIsCausalByTryingAllOrders() {
    Consumer<SmallHistory> check =
        history ->
            assertThat(Resolution.all(history).stream().anyMatch(LevelOracle::isCausal))
                .as("%s", history)
                .isEqualTo(LevelOracle.holding(history).contains(Level.CAUSAL));
    SmallHistories.forEach(Size.committed(3, 2, 2), check);
    random(6_000, 6, Shape.committed(5, 3, 3), check);
  }

  @Test
  @Tag("extended")
  void eachLatticeArrowHoldsOnOneInFiftyHistoriesOfFourTransactions() {
    SmallHistories.forEach(Size.committed(4, 2, 2).every(50), this::checkArrows);
    assertThat(broken).isEmpty();
  }

  @Test
  @Tag("extended")
  void eachLatticeArrowHoldsOnManyRandomHistories() {
    random(100_000, 7, Shape.committed(6, 3, 3).withTimes(), this::checkArrows);
    random(100_000, 8, Shape.committed(6, 3, 3).withTimes().withOutcomes(), this::checkArrows);
    assertThat(broken).isEmpty();
  }
}
