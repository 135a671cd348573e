package dev.assay.check.strong;

import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.solve.Polygraph;
import java.util.List;

/** Makes solver problems of histories, for benchmarks of the solver. */
public final class Problems {
  /**
   * A problem.
   *
   * @param polygraph the problem itself
   * @param preferred its transactions in the order to try first
   */
  public record Problem(Polygraph polygraph, int[] preferred) {}

  private Problems() {}

  /** The problem of a history without ambiguous reads. */
  public static Problem of(History history, Level level) {
    ReadsFrom reads = ReadsFrom.of(history);
    VersionOrders versions = new VersionOrders(history, reads, Given.NOTHING);
    Instance instance = Instance.whole(history, reads, List.of(versions.order()));
    Choices choices = Choices.none(instance);
    return new Problem(
        Encoding.of(instance, Model.of(level), choices, () -> false),
        instance.inOrder(LikelyOrder.of(history)));
  }
}
