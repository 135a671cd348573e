package dev.assay.proof;

import dev.assay.graph.IntList;
import dev.assay.proof.Argument.Pair;
import dev.assay.proof.Argument.Step;
import dev.assay.proof.Argument.Sum;
import dev.assay.proof.Graph.Edge;
import dev.assay.proof.Graph.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Orders the writers of common keys, or shows step by step that every order closes a forbidden
 * cycle: each pair whose one order closes a cycle is in the other order; where no pair is forced,
 * both orders of one are tried.
 */
final class Prover {
  /** What came out: an order, or steps, or neither if time ran out. */
  record Result(int[] order, List<Step> steps) {}

  /** A forbidden cycle, or a wrong sum, and the assumptions that it rests on. */
  private record Conflict(List<Edge> cycle, Sum sum, Set<Pair> uses) {
    Step step(Pair pair, List<Pair> assumptions) {
      return new Step(pair, assumptions, cycle, sum);
    }
  }

  private static final class Expired extends RuntimeException {
    private static final long serialVersionUID = 1;

    Expired() {
      super("no time left", null, false, false);
    }
  }

  private final Graph graph;
  private final BooleanSupplier expired;
  private final List<Step> steps = new ArrayList<>();

  /** The step that shows a pair. */
  private final Map<Pair, Step> shown = new HashMap<>();

  private final Set<Pair> assumed = new HashSet<>();

  Prover(Graph graph, BooleanSupplier expired) {
    this.graph = graph;
    this.expired = expired;
  }

  Result run() {
    try {
      Conflict conflict = firstConflict();
      conflict = conflict == null ? refute() : conflict;
      if (conflict == null) {
        return new Result(graph.order(), null);
      }
      steps.add(conflict.step(null, List.of()));
      return new Result(null, needed());
    } catch (Expired e) {
      return new Result(null, null);
    }
  }

  /** A cycle or sum that closes before anything is decided. */
  private Conflict firstConflict() {
    for (Pair pair : graph.ascendingMakers()) {
      Sum sum = new Sum(graph.sumsOf(pair.first()).get(0), List.of());
      Step step = new Step(pair, List.of(), List.of(), sum);
      steps.add(step);
      shown.put(pair, step);
      set(pair, true);
    }
    Conflict found = null;
    for (int node : graph.members) {
      found = found == null ? sumConflict(node) : found;
    }
    return found == null ? conflict(graph.cycle()) : found;
  }

  /** A cycle that closes whatever is undecided, or null if an order was found. */
  private Conflict refute() {
    List<Pair> here = new ArrayList<>();
    Conflict conflict = saturate(here);
    while (conflict == null) {
      Pair open = open();
      Conflict supposed = open == null ? null : suppose(open);
      if (supposed == null) {
        return null;
      }
      if (supposed.uses.contains(open)) {
        conflict = show(open.reversed(), supposed, here);
        conflict = conflict == null ? saturate(here) : conflict;
      } else {
        conflict = supposed;
      }
    }
    // What was shown under assumptions ends with them.
    for (Pair pair : here) {
      set(pair, false);
      shown.remove(pair);
    }
    return conflict;
  }

  /** A cycle that closes if a pair is in the order, or null if an order was found. */
  private Conflict suppose(Pair pair) {
    set(pair, true);
    assumed.add(pair);
    Conflict conflict = conflict(pair);
    conflict = conflict == null ? refute() : conflict;
    if (conflict != null) {
      assumed.remove(pair);
      set(pair, false);
    }
    return conflict;
  }

  /** Shows all pairs that are forced; a cycle if that closes one. */
  private Conflict saturate(List<Pair> here) {
    boolean more = true;
    while (more) {
      more = false;
      for (int a = 0; a < graph.members.length; a++) {
        IntList others = graph.conflicts(a);
        for (int i = 0; i < others.size(); i++) {
          int b = others.get(i);
          if (isOpen(a, b)) {
            Conflict conflict = force(new Pair(graph.members[a], graph.members[b]), here);
            if (conflict != null) {
              return conflict;
            }
            more |= !isOpen(a, b);
          }
        }
      }
    }
    return null;
  }

  /** If a pair closes a cycle, shows its reverse. */
  private Conflict force(Pair pair, List<Pair> here) {
    if (expired.getAsBoolean()) {
      throw new Expired();
    }
    set(pair, true);
    assumed.add(pair);
    Conflict conflict = conflict(pair);
    assumed.remove(pair);
    set(pair, false);
    return conflict == null ? null : show(pair.reversed(), conflict, here);
  }

  /** Records a step; a cycle if what it shows closes one. */
  private Conflict show(Pair pair, Conflict otherwise, List<Pair> here) {
    Set<Pair> assumptions = new LinkedHashSet<>(otherwise.uses);
    assumptions.remove(pair.reversed());
    Step step = otherwise.step(pair, List.copyOf(assumptions));
    steps.add(step);
    shown.put(pair, step);
    here.add(pair);
    set(pair, true);
    return conflict(pair);
  }

  /** What closes because a pair is in the order, or null. */
  private Conflict conflict(Pair pair) {
    Conflict found = conflict(cycle(pair));
    found = found == null ? sumConflict(pair.first()) : found;
    return found == null ? sumConflict(pair.second()) : found;
  }

  /** A read that shows another sum than that up to a node, or null. */
  private Conflict sumConflict(int node) {
    for (int read : graph.sumsOf(node)) {
      List<Pair> pairs = graph.sumConflict(node, read);
      if (pairs != null) {
        Set<Pair> used = new LinkedHashSet<>();
        pairs.forEach(pair -> use(pair, used));
        return new Conflict(List.of(), new Sum(read, pairs), used);
      }
    }
    return null;
  }

  /** Adds the assumptions that a pair rests on. */
  private void use(Pair pair, Set<Pair> used) {
    if (assumed.contains(pair)) {
      used.add(pair);
    } else if (shown.containsKey(pair)) {
      used.addAll(shown.get(pair).assumptions());
    }
  }

  /** A cycle with the assumptions it rests on, while these are made. */
  private Conflict conflict(List<Edge> cycle) {
    if (cycle == null) {
      return null;
    }
    Set<Pair> used = new LinkedHashSet<>();
    for (Edge edge : cycle) {
      Pair pair = pair(edge);
      if (pair != null) {
        use(pair, used);
      }
    }
    return new Conflict(cycle, null, used);
  }

  /** The order of writers that an edge rests on, or null. */
  private static Pair pair(Edge edge) {
    if (edge.kind() == Kind.WW) {
      return new Pair(edge.from(), edge.to());
    }
    boolean overwritten = edge.kind() == Kind.RW && edge.version() >= 0;
    return overwritten ? new Pair(edge.version(), edge.to()) : null;
  }

  private List<Edge> cycle(Pair pair) {
    return graph.cycle(graph.number(pair.first()), graph.number(pair.second()));
  }

  private void set(Pair pair, boolean value) {
    graph.set(graph.number(pair.first()), graph.number(pair.second()), value);
  }

  private boolean isOpen(int a, int b) {
    return !graph.isBefore(a, b) && !graph.isBefore(b, a);
  }

  private Pair open() {
    for (int a = 0; a < graph.members.length; a++) {
      IntList others = graph.conflicts(a);
      for (int i = 0; i < others.size(); i++) {
        if (isOpen(a, others.get(i))) {
          return new Pair(graph.members[a], graph.members[others.get(i)]);
        }
      }
    }
    return null;
  }

  /** The steps that the last one rests on. */
  private List<Step> needed() {
    List<Step> result = new ArrayList<>();
    Set<Pair> wanted = new HashSet<>();
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      if (step.pair() == null || wanted.contains(step.pair())) {
        result.add(0, step);
        for (Edge edge : step.cycle()) {
          Pair pair = pair(edge);
          if (pair != null) {
            wanted.add(pair);
          }
        }
        if (step.sum() != null) {
          wanted.addAll(step.sum().pairs());
        }
      }
    }
    return result;
  }
}
