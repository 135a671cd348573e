package dev.assay.check.strong;

import dev.assay.check.Edge;
import java.util.ArrayList;
import java.util.List;

/** Something open about a few transactions: one of the alternatives is true. */
record Question(int index, List<Alternative> alternatives) {
  /** What may be true. */
  sealed interface Alternative permits Order, Source {}

  /** A member wrote some keys before another. */
  record Order(int before, int after, List<Integer> keys) implements Alternative {}

  /** A read by a member, as an operation, saw what a member wrote; −1 for the initial version. */
  record Source(int reader, int source, int op) implements Alternative {}

  /**
   * What the only alternative left rests on, given the cycles that the others would close: of an
   * order the cycle of its opposite; of a read the sources that are impossible, each with its own.
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
