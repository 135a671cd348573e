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
import java.util.List;

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
        if (evidence.edges().stream().anyMatch(Pictured::touchesInitial)) {
          nodes.add(0, Edge.INITIAL);
        }
        String title = anomaly.type().id() + ": " + explanation.headline();
        pictures.add(new Pictured(title, nodes, evidence.edges(), result.history()));
      }
    }
    return pictures;
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
    for (int op = history.firstOp(txn); op < end; op++) {
      lines.add(wording.operation(op));
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
