package dev.assay.check.strong;

import dev.assay.check.Budget;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.BitSet;

/**
 * Looks at some transactions here and there, each with those that it is connected to by reads. What
 * many transactions do wrong, a few of them do, and these are refuted at once, where the whole
 * history is not.
 */
final class Neighbours {
  /** Number of places that are looked at. */
  private static final int PLACES = 24;

  /** How many transactions are looked at together. */
  private static final int[] SIZES = {24, 96};

  private static final long MOST_CONFLICTS = 200;

  private final Instance instance;
  private final int[] order;
  private final Budget budget;
  private final Effort effort;
  private final EdgeList reads = new EdgeList();
  private final Digraph readBy;
  private final Digraph readFrom;

  /**
   * Prepares.
   *
   * @param order the members in a likely order
   */
  Neighbours(Instance instance, int[] order, Budget budget, Effort effort) {
    this.instance = instance;
    this.order = order;
    this.budget = budget;
    this.effort = effort;
    new Flow(instance).forEach((writer, reader, op) -> reads.add(writer, reader, 0, 0));
    this.readBy = Digraph.successors(instance.size(), reads);
    this.readFrom = Digraph.predecessors(instance.size(), reads);
  }

  /** That a level is violated, or null where nothing here says so. */
  Answer refute(Model model) {
    for (int size : SIZES) {
      for (int place = 0; place < PLACES && size < order.length; place++) {
        if (budget.expired()) {
          return null;
        }
        int seed = order[(int) ((place + 0.5) * order.length / PLACES)];
        Instance some = instance.restrictedTo(around(seed, size));
        Choices choices = Choices.certain(some);
        Decision.Result result =
            new NarrowingSolver(
                    some, model, choices, Assumptions.NOTHING, MOST_CONFLICTS, budget::expired)
                .ask(Decision::run, some.natural(), effort);
        if (result instanceof Decision.Result.Refuted refuted) {
          return Answer.ofPart(instance, some, refuted, choices);
        }
      }
    }
    return null;
  }

  /** The members nearest to one, by reads in either direction. */
  private BitSet around(int seed, int size) {
    BitSet members = new BitSet();
    int[] queue = new int[size];
    int count = 0;
    queue[count++] = seed;
    members.set(seed);
    for (int i = 0; i < count; i++) {
      int member = queue[i];
      for (int e = readFrom.first(member); e < readFrom.end(member) && count < size; e++) {
        int next = reads.from(readFrom.edge(e));
        if (!members.get(next)) {
          members.set(next);
          queue[count++] = next;
        }
      }
      for (int e = readBy.first(member); e < readBy.end(member) && count < size; e++) {
        int next = reads.to(readBy.edge(e));
        if (!members.get(next)) {
          members.set(next);
          queue[count++] = next;
        }
      }
    }
    return Refutation.withSources(instance, members);
  }
}
