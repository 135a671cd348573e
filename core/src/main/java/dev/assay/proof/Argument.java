package dev.assay.proof;

import dev.assay.proof.Graph.Edge;
import java.util.List;

/** Why a level is violated. */
sealed interface Argument {
  /** An anomaly of one read that the level forbids. */
  record OfRead(String anomaly, int op) implements Argument {}

  /** Steps of which the last closes a cycle without assuming anything. */
  record Steps(List<Step> steps) implements Argument {
    public Steps {
      steps = List.copyOf(steps);
    }
  }

  /** A cycle of the serialization order that is given and what was read. */
  record Replay(List<Edge> cycle) implements Argument {}

  /** One argument for each write that a read may have seen. */
  record Split(Sources.Place read, int[] writes, List<Argument> cases) implements Argument {}

  /** That a transaction comes before another. */
  record Pair(int first, int second) {
    Pair reversed() {
      return new Pair(second, first);
    }
  }

  /**
   * That the increments of a counter do not add up.
   *
   * @param read what shows another sum
   * @param pairs what is decided of the increments that are in it
   */
  record Sum(int read, List<Pair> pairs) {}

  /**
   * A step: the pair is in the order, if the assumptions are, since otherwise the cycle closes, or
   * the increments of a counter do not add up.
   *
   * @param pair what is shown, or null if the cycle closes anyway
   * @param cycle the cycle; empty if there is a sum instead
   * @param sum null if there is a cycle
   */
  record Step(Pair pair, List<Pair> assumptions, List<Edge> cycle, Sum sum) {}
}
