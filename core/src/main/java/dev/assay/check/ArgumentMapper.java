package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.Rewriting;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Maps the arguments of anomalies, step by step. Steps share the steps they rest on, and there may
 * be exponentially more paths to a step than steps, so each is mapped once and its result shared.
 */
public final class ArgumentMapper {
  /** Maps a step, given what the steps it rests on were mapped to. */
  public interface StepMapper {
    Edge map(Edge edge, List<Edge> because);
  }

  private final IntUnaryOperator operations;
  private final StepMapper steps;
  private final UnaryOperator<List<Edge>> lists;
  private final Map<Edge, Edge> mapped = new IdentityHashMap<>();

  private ArgumentMapper(
      IntUnaryOperator operations, StepMapper steps, UnaryOperator<List<Edge>> lists) {
    this.operations = operations;
    this.steps = steps;
    this.lists = lists;
  }

  /**
   * Maps findings about the parts of transactions.
   *
   * @param lists what becomes of mapped steps that follow each other
   */
  public static ArgumentMapper ofParts(
      Rewriting rewriting, StepMapper steps, UnaryOperator<List<Edge>> lists) {
    return new ArgumentMapper(rewriting::operation, steps, lists);
  }

  /** Maps steps; operations stay what they are. */
  public static ArgumentMapper ofSteps(StepMapper steps) {
    return new ArgumentMapper(op -> op, steps, list -> list);
  }

  /** Maps findings about a rewritten history to findings about the original. */
  public static ArgumentMapper back(Rewriting rewriting) {
    return new ArgumentMapper(
        rewriting::operation, (edge, because) -> back(edge, because, rewriting), list -> list);
  }

  /** The same anomaly with its arguments mapped; witnesses that become equal are merged. */
  public Anomaly anomaly(Anomaly anomaly) {
    return anomaly.with(anomaly.witnesses().stream().map(this::evidence).distinct().toList());
  }

  /** The same for several. */
  public List<Anomaly> anomalies(List<Anomaly> anomalies) {
    return anomalies.stream().map(this::anomaly).toList();
  }

  public Evidence evidence(Evidence evidence) {
    return new Evidence(
        evidence.operations().stream().map(operations::applyAsInt).toList(),
        edges(evidence.edges()),
        evidence.refutes(),
        evidence.c4(),
        evidence.shownBy().stream().map(operations::applyAsInt).toList());
  }

  private List<Edge> edges(List<Edge> edges) {
    List<Edge> result = new ArrayList<>(edges.size());
    for (Edge edge : edges) {
      Edge known = mapped.get(edge);
      if (known == null) {
        known = steps.map(edge, edges(edge.because()));
        mapped.put(edge, known);
      }
      result.add(known);
    }
    return lists.apply(result);
  }

  private static Edge back(Edge edge, List<Edge> because, Rewriting rewriting) {
    // Where transactions are divided, session order may be program order.
    boolean ofOperations = rewriting.splitsTransactions() && edge.kind() == EdgeKind.SO;
    History parts = rewriting.rewritten();
    int fromOp = rewriting.operation(ofOperations ? parts.firstOp(edge.from()) : edge.fromOp());
    int toOp = rewriting.operation(ofOperations ? parts.firstOp(edge.to()) : edge.toOp());
    boolean predicate =
        switch (edge.kind()) {
          case WR -> rewriting.isByPredicate(edge.toOp());
          case RW -> rewriting.isByPredicate(edge.fromOp());
          default -> false;
        };
    // The read itself shows that it lacks an item.
    boolean lacks =
        edge.kind() == EdgeKind.RW
            && toOp >= 0
            && rewriting.original().kind(toOp).type().hasItems();
    return new Edge(
        rewriting.transaction(edge.from()),
        rewriting.transaction(edge.to()),
        edge.kind(),
        rewriting.key(edge.key()),
        fromOp,
        toOp,
        lacks ? List.of() : because,
        edge.premise(),
        edge.byPredicate() || predicate);
  }
}
