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
          // Levels that are decided by name only have oracles of their own.
          if (LevelOracle.DECIDED.contains(below) && !holding.contains(below)) {
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

  /**
   * Otherwise an arrow might hold on the histories above only because they never tell its ends
   * apart, and an arrow that the lattice lacks would go unnoticed.
   */
  @Test
  void theHistoriesShowThatNoOtherArrowHolds() {
    SmallHistories.forEach(Size.committed(3, 2, 2), this::checkArrows);
    random(30_000, 4, Shape.committed(5, 3, 3).withTimes(), this::checkArrows);
    SmallHistory longFork =
        SmallHistory.plume("w(1,1,1,1)w(2,1,2,2)r(1,1,3,3)r(2,0,3,3)r(1,0,4,4)r(2,1,4,4)");
    checkArrows(new SmallHistory(longFork.txns().stream().map(txn -> txn.during(1, 2)).toList()));
    List<String> unseen = new ArrayList<>();
    for (Level level : LevelOracle.DECIDED) {
      Set<Level> below = EnumSet.noneOf(Level.class);
      collectBelow(level, below);
      for (Level other : LevelOracle.DECIDED) {
        boolean seen = separated.getOrDefault(other, Set.of()).contains(level);
        if (!below.contains(other) && !seen) {
          unseen.add(level + " was never seen without " + other);
        }
      }
    }
    assertThat(unseen).isEmpty();
  }

  private static void collectBelow(Level level, Set<Level> below) {
    if (below.add(level)) {
      level.directlyImplies().forEach(next -> collectBelow(next, below));
      alsoImplied(level).forEach(next -> collectBelow(next, below));
    }
  }

  /** What holds on histories without predicates but is no arrow of the lattice. */
  private static Set<Level> alsoImplied(Level level) {
    return switch (level) {
      case REPEATABLE_READ -> EnumSet.of(Level.SERIALIZABLE);
      case STRONG_SESSION_REPEATABLE_READ -> EnumSet.of(Level.STRONG_SESSION_SERIALIZABLE);
      case STRONG_REPEATABLE_READ -> EnumSet.of(Level.STRICT_SERIALIZABLE);
      // Their read anomalies include those of PL-2, and CM is a version order without G1c-process.
      case READ_YOUR_WRITES, MONOTONIC_READS, MONOTONIC_WRITES, WRITES_FOLLOW_READS ->
          EnumSet.of(Level.STRONG_SESSION_ADYA_READ_COMMITTED);
      default -> EnumSet.noneOf(Level.class);
    };
  }

  @Test
  void axiomsAndGraphAgreeWhereALevelHasBothDefinitions() {
    Consumer<SmallHistory> check =
        history -> {
          Set<Level> byAxiom = LevelOracle.holding(history);
          byAxiom.retainAll(DependencyGraph.ALSO_BY_AXIOM);
          if (!LevelOracle.holdingByGraph(history).equals(byAxiom)) {
            broken.add("only " + byAxiom + " by axiom:\n" + history);
          }
        };
    SmallHistories.forEach(Size.committed(3, 2, 2), check);
    random(6_000, 5, Shape.committed(5, 3, 3), check);
    assertThat(broken).isEmpty();
  }

  @Test
  void causalByAcyclicityIsCausalByTryingAllOrders() {
    Consumer<SmallHistory> check =
        history -> {
          boolean causal = Resolution.all(history).stream().anyMatch(LevelOracle::isCausal);
          if (causal != LevelOracle.holding(history).contains(Level.CAUSAL)) {
            broken.add("causal by acyclicity is " + causal + ":\n" + history);
          }
        };
    SmallHistories.forEach(Size.committed(3, 2, 2), check);
    random(6_000, 6, Shape.committed(5, 3, 3), check);
    assertThat(broken).isEmpty();
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
