package dev.assay.check;

import dev.assay.check.LevelChecker.Subject;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.SetItems;
import dev.assay.infer.VersionOrders;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Asks about a history of sets as if their elements were registers ({@link SetItems}), and tells
 * what was found of the sets.
 */
public final class ByElement {
  private final History whole;
  private final IntUnaryOperator original;
  private final IntUnaryOperator originalKey;

  /** What each step became: steps that share a reason go on sharing it. */
  private final Map<Edge, Edge> told = new IdentityHashMap<>();

  private ByElement(History whole, IntUnaryOperator original, IntUnaryOperator originalKey) {
    this.whole = whole;
    this.original = original;
    this.originalKey = originalKey;
  }

  /**
   * What was found of a history that says more than the whole, told of the whole.
   *
   * @param original for each operation the one of the whole that it stands for
   * @param originalKey for each key the one of the whole that it stands for
   */
  public static List<Anomaly> told(
      List<Anomaly> anomalies, History whole, int[] original, int[] originalKey) {
    ByElement teller =
        new ByElement(whole, op -> op < 0 ? op : original[op], key -> originalKey[key]);
    return anomalies.stream().map(teller::anomaly).toList();
  }

  /** What a checker of registers and lists finds. */
  public static Findings check(Subject subject, Function<Subject, Findings> checker) {
    SetItems items = subject.versions().setItems();
    if (items.history() == subject.history()) {
      return checker.apply(subject);
    }
    ReadsFrom reads = subject.reads().like(items.history());
    Subject own =
        new Subject(
            items.history(),
            reads,
            new VersionOrders(items.history(), reads, subject.versions().given()),
            subject.levels(),
            subject.violated(),
            subject.holding(),
            subject.budget());
    Findings found = checker.apply(own);
    List<Anomaly> anomalies = new ArrayList<>();
    ByElement teller = new ByElement(subject.history(), items::original, items::originalKey);
    found.anomalies().forEach(anomaly -> anomalies.add(teller.anomaly(anomaly)));
    return new Findings(found.verdicts(), anomalies, found.notes(), found.stages());
  }

  private Anomaly anomaly(Anomaly anomaly) {
    return new Anomaly(
        anomaly.type(),
        anomaly.violates(),
        anomaly.count(),
        anomaly.countIsLowerBound(),
        anomaly.witnesses().stream().map(this::evidence).distinct().toList());
  }

  private Evidence evidence(Evidence evidence) {
    return new Evidence(
        evidence.operations().stream().map(original::applyAsInt).toList(),
        edges(evidence.edges()),
        evidence.refutes(),
        evidence.c4(),
        evidence.shownBy().stream().map(original::applyAsInt).toList());
  }

  private List<Edge> edges(List<Edge> edges) {
    List<Edge> result = new ArrayList<>();
    for (Edge edge : edges) {
      Edge known = told.get(edge);
      if (known == null) {
        known = edge(edge);
        told.put(edge, known);
      }
      result.add(known);
    }
    return result;
  }

  private Edge edge(Edge edge) {
    int toOp = original.applyAsInt(edge.toOp());
    // That a read lacks an element needs no other reason than the read.
    boolean lacking = edge.kind() == EdgeKind.RW && toOp >= 0 && whole.kind(toOp) == OpKind.ADD;
    return new Edge(
        edge.from(),
        edge.to(),
        edge.kind(),
        edge.key() < 0 ? edge.key() : originalKey.applyAsInt(edge.key()),
        original.applyAsInt(edge.fromOp()),
        toOp,
        lacking ? List.of() : edges(edge.because()),
        edge.premise(),
        edge.byPredicate());
  }
}
