package dev.assay.check.strong;

import dev.assay.check.Edge;
import java.util.ArrayList;
import java.util.List;

/** An open question about a few transactions: exactly one of the alternatives is true. */
record Question(int index, List<Alternative> alternatives) {
  /** A possible answer. */
  sealed interface Alternative permits Order, Source {}

  /** A member wrote some keys before another. */
  record Order(int before, int after, List<Integer> keys) implements Alternative {}

  /** A read by a member, as an operation, saw what a member wrote; −1 for the initial version. */
  record Source(int reader, int source, int op) implements Alternative {}

  /**
   * The reasons for the only alternative left, given the cycles that the others would close: for an
   * order the cycle of its opposite; for a read the impossible sources, each with its cycle.
   *
   * @param cycles for each alternative, null for the one left
   */
  List<Edge> reason(ProofContext context, List<List<Edge>> cycles) {
    List<Edge> reason = new ArrayList<>();
    for (int i = 0; i < alternatives.size(); i++) {
      if (cycles.get(i) != null) {
        if (alternatives.get(i) instanceof Source seen) {
          reason.add(context.readEdge(seen, cycles.get(i)));
        } else {
          reason.addAll(cycles.get(i));
        }
      }
    }
    return reason;
  }
}
