package dev.assay.check.strong;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The candidate writers of each ambiguous read of an instance, as members. Transactions of unknown
 * outcome from which no other transaction read are not candidates; {@link #incomplete} then says
 * so. {@link #certain} leaves out such reads altogether.
 */
final class Choices {
  private final Instance instance;
  private final Map<Integer, int[]> narrowed = new HashMap<>();
  private final List<Integer> encoded = new ArrayList<>();
  private final Reads considered;
  private boolean incomplete;
  private boolean ignored;

  /** Which ambiguous reads are considered. */
  private enum Reads {
    NONE,
    CERTAIN,
    ALL
  }

  private Choices(Instance instance, Reads considered) {
    this.instance = instance;
    this.considered = considered;
  }

  /** Of all ambiguous reads. */
  static Choices all(Instance instance) {
    return new Choices(instance, Reads.ALL);
  }

  /** Of the ambiguous reads all of whose possible writers are considered. */
  static Choices certain(Instance instance) {
    return new Choices(instance, Reads.CERTAIN);
  }

  /** Without ambiguous reads. */
  static Choices none(Instance instance) {
    return new Choices(instance, Reads.NONE);
  }

  boolean areConsidered() {
    return considered != Reads.NONE;
  }

  /** Records that an ambiguous read was left out. */
  void ignore() {
    ignored = true;
  }

  /** Whether some reads were left out, so that finding an order proves nothing. */
  boolean ignored() {
    return ignored;
  }

  /** Whether some writer was left out, so that finding no order proves nothing. */
  boolean incomplete() {
    return incomplete;
  }

  /**
   * The members that a read may have seen, −1 for the initial state; none if not all are members.
   */
  int[] candidates(int op) {
    return considered == Reads.NONE ? new int[0] : narrowed.computeIfAbsent(op, this::find);
  }

  private int[] find(int op) {
    History history = instance.history;
    int reader = history.transactionOf(op);
    List<Integer> found = new ArrayList<>();
    int source = instance.sourceOp(op);
    int[] writes =
        source == ReadsFrom.AMBIGUOUS ? instance.reads.candidates(op) : new int[] {source};
    for (int write : writes) {
      if (write < 0 && write != ReadsFrom.INITIAL) {
        // Nothing was written that it may have seen, which other checkers find.
        ignored = true;
        return new int[0];
      }
      int writer = write == ReadsFrom.INITIAL ? Instance.NONE : history.transactionOf(write);
      if (writer == Instance.NONE) {
        found.add(Instance.NONE);
      } else if (!isConsistent(reader, writer, write)) {
        // Every candidate is a read anomaly, and other checkers could not distinguish them.
        ignored = true;
        return new int[0];
      } else if (!instance.reads.counts(writer)) {
        if (considered == Reads.CERTAIN) {
          return new int[0];
        }
        incomplete = true;
      } else if (instance.number[writer] == Instance.NONE) {
        return new int[0];
      } else {
        found.add(instance.number[writer]);
      }
    }
    if (found.isEmpty() || instance.hasOtherConditions(op)) {
      ignored = true;
    }
    return found.stream().mapToInt(Integer::intValue).distinct().toArray();
  }

  private boolean isConsistent(int reader, int writer, int write) {
    return writer != reader
        && instance.history.outcome(writer) != Outcome.ABORTED
        && !instance.reads.isOverwritten(write);
  }

  /** Records that a read is the next choice of the problem. */
  void encoded(int op) {
    encoded.add(op);
  }

  /** Starts a new problem. */
  void reset() {
    encoded.clear();
  }

  /** Restricts the choices of the last problem to some candidates. */
  void narrow(int[][] left) {
    for (int choice = 0; choice < left.length; choice++) {
      narrowed.put(encoded.get(choice), Arrays.copyOf(left[choice], left[choice].length));
    }
  }
}
