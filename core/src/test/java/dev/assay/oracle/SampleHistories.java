package dev.assay.oracle;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistories.Size;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The histories that checkers are compared with oracles on, for tests of other packages. */
public final class SampleHistories {
  private SampleHistories() {}

  /** One in so many of all register histories of three transactions. */
  public static void ofThreeTransactions(int every, Consumer<History> consumer) {
    SmallHistories.forEach(
        Size.committed(3, 2, 2).every(every), history -> consumer.accept(history.toHistory()));
  }

  /** One in so many of the register histories of two and three transactions of any outcome. */
  public static void ofAnyOutcome(int every, Consumer<History> consumer) {
    SmallHistories.forEach(
        Size.ofAnyOutcome(2, 2, 2).every(every), history -> consumer.accept(history.toHistory()));
    SmallHistories.forEach(
        Size.ofAnyOutcome(3, 1, 2).every(every), history -> consumer.accept(history.toHistory()));
  }

  /** One in so many of all histories of sets of three transactions. */
  public static void ofSets(int every, Consumer<History> consumer) {
    SmallSets.forEach(
        3, 1, List.of(Outcome.values()), every, history -> consumer.accept(history.toHistory()));
  }

  /** So many random ones of each kind. */
  public static void random(int each, long seed, boolean repeats, Consumer<History> consumer) {
    List<Function<RandomHistories, SmallHistory>> kinds =
        List.of(
            RandomHistories::registers,
            RandomHistories::lists,
            RandomHistories::sets,
            RandomHistories::setsAndRegisters);
    Shape plain = Shape.committed(4, 2, 3);
    Shape shape = repeats ? plain.withDuplicates() : plain;
    List<Shape> shapes =
        List.of(shape, shape.withOutcomes(), shape.withTimes(), shape.withTimes().withOutcomes());
    long next = seed;
    for (Function<RandomHistories, SmallHistory> kind : kinds) {
      for (Shape given : shapes) {
        RandomHistories histories = new RandomHistories(given, next++);
        for (int i = 0; i < each; i++) {
          consumer.accept(kind.apply(histories).toHistory());
        }
      }
    }
  }
}
