package dev.assay.proof;

import dev.assay.history.Rewriting;
import dev.assay.proof.Argument.Pair;
import dev.assay.proof.Argument.Step;
import dev.assay.proof.Graph.Edge;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns proofs about a history of parts of transactions into proofs about the whole one: a part has
 * the number of its first operation.
 */
final class OfParts {
  /** The writer of a version, which a proof does not name. */
  private static final int NOT_WRITTEN = -1;

  private final Rewriting parts;

  OfParts(Rewriting parts) {
    this.parts = parts;
  }

  private int part(int part) {
    int size = parts.rewritten().transactionCount();
    if (part >= size) {
      return parts.original().operationCount() + parts.operation(part - size);
    }
    return part < 0 ? part : parts.operation(parts.rewritten().firstOp(part));
  }

  Proof.Order order(Proof.Order order) {
    Map<Sources.Place, Integer> from = new HashMap<>();
    order.from().forEach((place, write) -> from.put(place(place), parts.operation(write)));
    return new Proof.Order(from, Arrays.stream(order.order()).map(this::part).toArray());
  }

  private Sources.Place place(Sources.Place place) {
    return new Sources.Place(parts.operation(place.op()), place.element());
  }

  Argument argument(Argument argument) {
    if (argument instanceof Argument.OfRead read) {
      return new Argument.OfRead(read.anomaly(), parts.operation(read.op()));
    }
    if (argument instanceof Argument.Split split) {
      return new Argument.Split(
          place(split.read()),
          Arrays.stream(split.writes()).map(parts::operation).toArray(),
          split.cases().stream().map(this::argument).toList());
    }
    if (argument instanceof Argument.Replay replay) {
      return new Argument.Replay(cycle(replay.cycle()));
    }
    Argument.Steps steps = (Argument.Steps) argument;
    return new Argument.Steps(steps.steps().stream().map(this::step).toList());
  }

  private Step step(Step step) {
    Pair pair = step.pair() == null ? null : pair(step.pair());
    List<Pair> assumptions = step.assumptions().stream().map(this::pair).toList();
    Argument.Sum sum =
        step.sum() == null
            ? null
            : new Argument.Sum(
                parts.operation(step.sum().read()),
                step.sum().pairs().stream().map(this::pair).toList());
    return new Step(pair, assumptions, cycle(step.cycle()), sum);
  }

  private Pair pair(Pair pair) {
    return new Pair(part(pair.first()), part(pair.second()));
  }

  private List<Edge> cycle(List<Edge> cycle) {
    return cycle.stream()
        .map(
            edge ->
                new Edge(
                    edge.kind(),
                    part(edge.from()),
                    part(edge.to()),
                    parts.operation(edge.op()),
                    NOT_WRITTEN))
        .toList();
  }
}
