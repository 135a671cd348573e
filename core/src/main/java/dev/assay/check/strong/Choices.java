package dev.assay.check.strong;

import dev.assay.history.History;
import dev.assay.infer.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The writers that each ambiguous read of an instance may have seen, as members. A transaction of
 * unknown outcome that nobody else read is not considered, which is remembered.
 */
final class Choices {
  private final Instance instance;
  private final Map<Integer, int[]> narrowed = new HashMap<>();
  private final List<Integer> encoded = new ArrayList<>();
  private boolean incomplete;

  Choices(Instance instance) {
    this.instance = instance;
  }

  /** Whether some writer was left out, so that finding no order says nothing. */
  boolean incomplete() {
    return incomplete;
  }

  /**
   * The members that a read may have seen, −1 for the initial state; none if not all are members.
   */
  int[] candidates(int op) {
    return narrowed.computeIfAbsent(op, this::find);
  }

  private int[] find(int op) {
    History history = instance.history;
    int reader = history.transactionOf(op);
    List<Integer> found = new ArrayList<>();
    for (int write : instance.reads.candidates(op)) {
      if (write == ReadsFrom.INITIAL) {
        found.add(Instance.NONE);
        continue;
      }
      int writer = history.transactionOf(write);
      boolean possible = writer != reader && !instance.reads.isOverwritten(write);
      if (!instance.reads.counts(writer) || !possible) {
        incomplete = true;
      } else if (instance.number[writer] == Instance.NONE) {
        return new int[0];
      } else {
        found.add(instance.number[writer]);
      }
    }
    return found.stream().mapToInt(Integer::intValue).distinct().toArray();
  }

  /** Takes notice that a read is the next choice of the problem. */
  void encoded(int op) {
    encoded.add(op);
  }

  /** Starts a new problem. */
  void reset() {
    encoded.clear();
  }

  /** Leaves only some candidates to the choices of the last problem. */
  void narrow(int[][] left) {
    for (int choice = 0; choice < left.length; choice++) {
      narrowed.put(encoded.get(choice), Arrays.copyOf(left[choice], left[choice].length));
    }
  }
}
