package dev.assay.render;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A witness as a graph: what the renderers of pictures share.
 *
 * @param title the anomaly and its headline
 * @param nodes transactions, in the order the argument meets them; −1 for the initial state
 * @param edges the steps of the argument, without what they rest on
 */
record Pictured(String title, List<Integer> nodes, List<Edge> edges, History history) {
  private static final int MAX_OPERATIONS = 8;

  static List<Pictured> all(CheckResult result) {
    Explainer explainer = new Explainer(result.history());
    List<Pictured> pictures = new ArrayList<>();
    for (Anomaly anomaly : result.report().anomalies()) {
      for (Evidence evidence : anomaly.witnesses()) {
        Explanation explanation = explainer.explain(anomaly, evidence);
        List<Integer> nodes = new ArrayList<>(explanation.transactions());
        Set<Edge> edges = new LinkedHashSet<>(evidence.edges());
        addReasons(evidence.edges(), edges);
        if (edges.stream().anyMatch(Pictured::touchesInitial)) {
          nodes.add(0, Edge.INITIAL);
        }
        String title = anomaly.type().id() + ": " + explanation.headline();
        pictures.add(new Pictured(title, nodes, List.copyOf(edges), result.history()));
      }
    }
    return pictures;
  }

  /** Adds the observed steps that inferred ones rest on. */
  private static void addReasons(List<Edge> of, Set<Edge> edges) {
    for (Edge edge : of) {
      edges.addAll(edge.because());
      addReasons(edge.because(), edges);
    }
  }

  /** Whether an edge was inferred, and is drawn dashed beside what was observed. */
  static boolean isInferred(Edge edge) {
    return !edge.because().isEmpty();
  }

  private static boolean touchesInitial(Edge edge) {
    return edge.from() == Edge.INITIAL || edge.to() == Edge.INITIAL;
  }

  /** The lines inside a node: its name, then its operations. */
  List<String> lines(int txn) {
    Wording wording = new Wording(history);
    List<String> lines = new ArrayList<>();
    lines.add(wording.name(txn));
    if (txn == Edge.INITIAL) {
      return lines;
    }
    if (history.outcome(txn) != Outcome.COMMITTED) {
      lines.add("(" + history.outcome(txn).id() + ")");
    }
    int end = Math.min(history.endOp(txn), history.firstOp(txn) + MAX_OPERATIONS);
    for (int op = history.firstOp(txn); op < end; op = history.nextOp(op)) {
      lines.add(wording.operation(op));
      end = Math.max(end, history.nextOp(op));
    }
    if (end < history.endOp(txn)) {
      lines.add("and " + (history.endOp(txn) - end) + " more");
    }
    return lines;
  }

  /** {@code rw(x)}. */
  String label(Edge edge) {
    String key = edge.key() < 0 ? "" : "(" + new Wording(history).key(edge.key()) + ")";
    return edge.kind().id() + key;
  }
}
