package dev.assay.check.strong;

import dev.assay.check.Edge;
import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Finds an argument that a few transactions have no order at a level: a cycle in which each edge
 * that was not observed rests on the cycles that its alternatives would close.
 *
 * <p>First all alternatives that close a cycle directly are ruled out, in rounds, so that arguments
 * stay short; the only alternative left of a question is then known. Where that is not enough, an
 * alternative is assumed and ruled out by its refutation, in which the assumption is a step without
 * a reason.
 */
final class Prover {
  private final ProofContext context;
  private final BooleanSupplier expired;

  Prover(ProofContext context, BooleanSupplier expired) {
    this.context = context;
    this.expired = expired;
  }

  /** The edges of a cycle, or null if none was found in time. */
  List<Edge> prove() {
    int deepest = context.questions().stream().mapToInt(q -> q.alternatives().size()).sum();
    for (int depth = 0; depth <= deepest; depth++) {
      State state = new State(context);
      List<Edge> cycle = refute(state, depth);
      if (cycle != null || expired.getAsBoolean()) {
        return cycle;
      }
    }
    return null;
  }

  private List<Edge> refute(State state, int depth) {
    while (!expired.getAsBoolean()) {
      List<Edge> cycle = state.shortestCycle(expired);
      if (cycle != null) {
        return cycle;
      }
      if (!inferDirectly(state) && (depth == 0 || !inferByCases(state, depth))) {
        return null;
      }
    }
    return null;
  }

  /** An alternative that closes a cycle. */
  private record Impossible(Question question, int alternative, List<Edge> cycle) {}

  /** Rules out every alternative that closes a cycle; returns whether there was one. */
  private boolean inferDirectly(State state) {
    List<Impossible> found = new ArrayList<>();
    for (Question question : context.questions()) {
      if (expired.getAsBoolean()) {
        return false;
      }
      found.addAll(impossible(state, question));
    }
    found.forEach(state::ruleOut);
    return !found.isEmpty();
  }

  /** The alternatives that close a cycle, short cycles first, but never all that are left. */
  private List<Impossible> impossible(State state, Question question) {
    List<Impossible> found = new ArrayList<>();
    int left = 0;
    for (int i = question.alternatives().size() - 1; i >= 0; i--) {
      if (expired.getAsBoolean()) {
        return List.of();
      }
      if (state.isOpen(question, i)) {
        left++;
        List<Edge> cycle = state.cycleOf(question.alternatives().get(i));
        if (cycle != null) {
          found.add(new Impossible(question, i, cycle));
        }
      }
    }
    found.sort(Comparator.comparingInt(impossible -> impossible.cycle.size()));
    return found.subList(0, Math.min(found.size(), Math.max(0, left - 1)));
  }

  /** Rules out one alternative by refuting it; returns whether there was one. */
  private boolean inferByCases(State state, int depth) {
    for (Question question : context.questions()) {
      for (int i = 0; i < question.alternatives().size(); i++) {
        if (state.isOpen(question, i)) {
          State copy = new State(state);
          copy.decide(question, i, List.of());
          List<Edge> cycle = refute(copy, depth - 1);
          if (cycle != null) {
            state.ruleOut(new Impossible(question, i, cycle));
            return true;
          }
        }
      }
    }
    return false;
  }

  /** What is known at a point of the argument. */
  private static final class State {
    private final ProofContext context;
    private final ProofContext.Known known;
    private final boolean[] decided;

    /** For each question and each of its alternatives the cycle it would close, or null. */
    private final List<List<List<Edge>>> ruledOut = new ArrayList<>();

    /** A graph of the first of the known steps. */
    private Digraph graph;

    State(ProofContext context) {
      this.context = context;
      this.known = new ProofContext.Known(new ArrayList<>(context.observed()), new ArrayList<>());
      this.decided = new boolean[context.questions().size()];
      for (Question question : context.questions()) {
        ruledOut.add(new ArrayList<>(Collections.nCopies(question.alternatives().size(), null)));
      }
      for (Question question : context.questions()) {
        if (question.alternatives().size() == 1) {
          decide(question, 0, List.of());
        }
      }
    }

    State(State other) {
      this.context = other.context;
      this.known =
          new ProofContext.Known(
              new ArrayList<>(other.known.steps()), new ArrayList<>(other.known.reads()));
      this.decided = other.decided.clone();
      other.ruledOut.forEach(cycles -> ruledOut.add(new ArrayList<>(cycles)));
    }

    boolean isOpen(Question question, int alternative) {
      return !decided[question.index()] && ruledOut.get(question.index()).get(alternative) == null;
    }

    void ruleOut(Impossible impossible) {
      List<List<Edge>> cycles = ruledOut.get(impossible.question.index());
      cycles.set(impossible.alternative, impossible.cycle);
      if (Collections.frequency(cycles, null) == 1) {
        List<Edge> because = impossible.question.reason(context, cycles);
        decide(impossible.question, cycles.indexOf(null), because);
      }
    }

    void decide(Question question, int alternative, List<Edge> because) {
      decided[question.index()] = true;
      ProofContext.Known more =
          context.steps(question.alternatives().get(alternative), because, known);
      known.steps().addAll(more.steps());
      known.reads().addAll(more.reads());
    }

    /** The shortest cycle that an alternative would close with what is known, or null. */
    List<Edge> cycleOf(Question.Alternative alternative) {
      List<Edge> best = null;
      for (ProofContext.Step step : context.steps(alternative, List.of(), known).steps()) {
        List<Edge> path = pathBack(step);
        if (path != null && (best == null || path.size() + 1 < best.size())) {
          best = new ArrayList<>();
          best.add(step.edge());
          best.addAll(path);
        }
      }
      return best;
    }

    /** The shortest cycle in what is known, or any found when the time is up; null if none. */
    List<Edge> shortestCycle(BooleanSupplier expired) {
      List<Edge> best = null;
      long least = Long.MAX_VALUE;
      Components components = components();
      for (ProofContext.Step step : known.steps()) {
        if (step.edge() == null || components.of(step.from()) != components.of(step.to())) {
          continue;
        }
        if (expired.getAsBoolean()) {
          return best;
        }
        List<Edge> path = pathBack(step);
        if (path != null) {
          List<Edge> cycle = new ArrayList<>(List.of(step.edge()));
          cycle.addAll(path);
          if (weight(cycle) < least) {
            best = cycle;
            least = weight(cycle);
          }
        }
      }
      return best;
    }

    /** Every cycle lies inside a component. */
    private Components components() {
      return Components.of(graph());
    }

    private Digraph graph() {
      if (graph == null || graph.size() != known.steps().size()) {
        EdgeList edges = new EdgeList();
        for (ProofContext.Step step : known.steps()) {
          edges.add(step.from(), step.to(), 0, 0);
        }
        graph = Digraph.successors(context.nodes(), edges);
      }
      return graph;
    }

    /** Orders short cycles first, then those with few reasons. */
    private static long weight(List<Edge> cycle) {
      long[] reasons = new long[1];
      Edge.forEachReason(cycle, edge -> reasons[0]++);
      return 1000L * cycle.size() + Math.min(999, reasons[0]);
    }

    /** The edges of a shortest path that closes a cycle the level forbids, or null. */
    private List<Edge> pathBack(ProofContext.Step step) {
      ProofContext.Cycles forbidden = context.forbidden();
      boolean overwrites = ProofContext.isOverwriting(step);
      if (forbidden != ProofContext.Cycles.SHORT_OVERWRITING) {
        boolean one = forbidden == ProofContext.Cycles.ONE_OVERWRITING;
        return path(step.to(), step.from(), !one, one && !overwrites);
      }
      for (int place = graph().first(step.to()); place < graph().end(step.to()); place++) {
        ProofContext.Step back = known.steps().get(graph().edge(place));
        if (back.to() == step.from() && overwrites != ProofContext.isOverwriting(back)) {
          return List.of(back.edge());
        }
      }
      return overwrites ? null : path(step.to(), step.from(), false, false);
    }

    /**
     * The edges of a shortest path between nodes, or null.
     *
     * @param any whether any number of rw edges is allowed
     * @param one whether one rw edge is allowed
     */
    private List<Edge> path(int from, int to, boolean any, boolean one) {
      if (from == to) {
        return List.of();
      }
      // Each node twice: without and with an rw edge on the path to it.
      int nodes = context.nodes();
      BreadthFirstSearch search = new BreadthFirstSearch(2 * nodes);
      search.start(from);
      for (int at = search.next(); at >= 0; at = search.next()) {
        for (int place = graph().first(at % nodes); place < graph().end(at % nodes); place++) {
          ProofContext.Step step = known.steps().get(graph().edge(place));
          boolean limited = !any && ProofContext.isOverwriting(step);
          if (limited && (!one || at >= nodes)) {
            continue;
          }
          int next = step.to() + (limited || at >= nodes ? nodes : 0);
          if (search.reach(next, graph().edge(place)) && step.to() == to) {
            return Arrays.stream(search.path(next))
                .mapToObj(edge -> known.steps().get(edge).edge())
                .filter(Objects::nonNull)
                .toList();
          }
        }
      }
      return null;
    }
  }
}
