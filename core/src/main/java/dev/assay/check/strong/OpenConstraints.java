package dev.assay.check.strong;

import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.CertainOutcomes;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.solve.Constraints;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.ArrayList;
import java.util.List;

/** Counts what a level leaves open in a history, before and after saturation. */
public final class OpenConstraints {
  /** How far saturation got. */
  public enum Outcome {
    /** What is left open was counted. */
    COUNTED,
    /** It found the level violated. */
    REFUTED,
    /** Saturation did not start, because its clocks would take too much memory. */
    UNSATURATED,
    /** The time ran out. */
    EXPIRED
  }

  /**
   * The counts for a level. The open ones are valid only if {@code outcome} is {@link
   * Outcome#COUNTED}.
   *
   * @param pairs pairs of writers of a key, for each key
   * @param openPairs pairs whose order is not forced
   * @param ambiguousReads reads that saw one of several versions
   * @param openReads reads that are left with several
   * @param parts independent parts of what is open: no cycle can lead through two of them
   * @param largestPart open pairs in the part that has most of them
   */
  public record Count(
      Level level,
      Outcome outcome,
      long pairs,
      long openPairs,
      int ambiguousReads,
      int openReads,
      int parts,
      long largestPart) {}

  private OpenConstraints() {}

  /** Serializability and snapshot isolation; with real time where the history has it. */
  public static List<Level> levels(History history) {
    List<Level> levels =
        new ArrayList<>(
            List.of(
                Level.SERIALIZABLE,
                Level.STRONG_SESSION_SERIALIZABLE,
                Level.SNAPSHOT_ISOLATION,
                Level.STRONG_SESSION_SNAPSHOT_ISOLATION));
    if (history.hasTimes()) {
      levels.add(2, Level.STRICT_SERIALIZABLE);
      levels.add(Level.STRONG_SNAPSHOT_ISOLATION);
    }
    return levels;
  }

  /** Counts for some of {@link #levels}. */
  public static List<Count> count(
      History recorded, Given given, List<Level> levels, Budget budget) {
    History history = CertainOutcomes.of(recorded, given);
    ReadsFrom reads = ReadsFrom.of(history);
    VersionOrders versions = new VersionOrders(history, reads, given);
    Instance instance = Instance.whole(history, reads, List.of(versions.order()));
    int[] order = instance.inOrder(LikelyOrder.of(history));
    List<Count> counts = new ArrayList<>();
    for (Level level : levels) {
      counts.add(count(instance, level, order, budget));
    }
    return counts;
  }

  private static Count count(Instance instance, Level level, int[] order, Budget budget) {
    Model model = Model.of(level);
    Choices choices = Choices.all(instance);
    Constraints before = Constraints.before(Encoding.of(instance, model, choices, () -> false));
    Decision.Result result =
        new NarrowingSolver(instance, model, choices, budget::expired)
            .ask(Decision::count, order, new Effort());
    Outcome outcome = outcome(result);
    Constraints after = before;
    if (result instanceof Decision.Result.Counted counted) {
      after = counted.constraints();
    }
    return new Count(
        level,
        outcome,
        before.pairs(),
        after.pairs(),
        before.choices(),
        after.choices(),
        after.parts(),
        after.largestPart());
  }

  private static Outcome outcome(Decision.Result result) {
    if (result instanceof Decision.Result.Counted) {
      return Outcome.COUNTED;
    }
    if (result instanceof Decision.Result.Refuted) {
      return Outcome.REFUTED;
    }
    return result instanceof Decision.Result.Unsaturated ? Outcome.UNSATURATED : Outcome.EXPIRED;
  }
}
