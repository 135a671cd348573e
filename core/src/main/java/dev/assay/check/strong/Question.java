package dev.assay.check.strong;

import dev.assay.check.Edge;
import java.util.ArrayList;
import java.util.List;

/** Something open about a few transactions: one of the alternatives is true. */
record Question(int index, List<Alternative> alternatives) {
  /** What may be true. */
  sealed interface Alternative permits Order, Sight {}

  /** A member wrote some keys before another. */
  record Order(int before, int after, List<Integer> keys) implements Alternative {}

  /** A read by a member, as an operation, saw what a member wrote; −1 for the initial version. */
  record Sight(int reader, int source, int op) implements Alternative {}

  /**
   * What the only alternative left rests on, given the circles that the others would close: of an
   * order the circle of its opposite; of a read the sights that are impossible, each with its own.
   *
   * @param circles for each alternative, null for the one left
   */
  List<Edge> reason(Situation situation, List<List<Edge>> circles) {
    List<Edge> reason = new ArrayList<>();
    for (int i = 0; i < alternatives.size(); i++) {
      if (circles.get(i) != null) {
        if (alternatives.get(i) instanceof Sight sight) {
          reason.add(situation.readEdge(sight, circles.get(i)));
        } else {
          reason.addAll(circles.get(i));
        }
      }
    }
    return reason;
  }
}
