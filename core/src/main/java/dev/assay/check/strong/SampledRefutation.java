package dev.assay.check.strong;

import dev.assay.check.Budget;
import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.BitSet;

/**
 * Samples transactions, each with its neighbours by reads, and tries to refute the level on these
 * alone. A violation that many transactions share shows in a small sample, which is refuted quickly
 * where the whole history is not.
 */
final class SampledRefutation {
  /** Number of samples. */
  private static final int PLACES = 24;

  /** Numbers of transactions in a sample. */
  private static final int[] SIZES = {24, 96};

  private static final long MAX_CONFLICTS = 200;

  private final Instance instance;
  private final int[] order;
  private final Budget budget;
  private final Effort effort;
  private final Digraph readBy;
  private final Digraph readFrom;
  private final BreadthFirstSearch search;

  /**
   * Prepares.
   *
   * @param order the members in a likely order
   */
  SampledRefutation(Instance instance, int[] order, Budget budget, Effort effort) {
    this.instance = instance;
    this.order = order;
    this.budget = budget;
    this.effort = effort;
    EdgeList reads = new EdgeList();
    new Flow(instance).forEach((writer, reader, op) -> reads.add(writer, reader, 0, 0));
    this.readBy = Digraph.successors(instance.size(), reads);
    this.readFrom = Digraph.predecessors(instance.size(), reads);
    this.search = new BreadthFirstSearch(instance.size());
  }

  /** The refutation of a level, or null if no sample refutes it. */
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
                    some, model, choices, Assumptions.NOTHING, MAX_CONFLICTS, budget::expired)
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
    search.start(seed);
    for (int count = 0; count < size; count++) {
      int member = search.next();
      if (member < 0) {
        break;
      }
      members.set(member);
      reachAll(readFrom, member);
      reachAll(readBy, member);
    }
    return Refutation.withSources(instance, members);
  }

  private void reachAll(Digraph graph, int member) {
    for (int place = graph.first(member); place < graph.end(member); place++) {
      search.reach(graph.neighbour(place), place);
    }
  }
}
