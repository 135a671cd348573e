package dev.assay.render;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explainer;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A witness as a graph: what the renderers of pictures share.
 *
 * @param title the anomaly and its headline
 * @param nodes transactions, in the order the argument meets them; −1 for the initial state
 * @param arrows the steps of the argument, then what they rest on
 */
record Pictured(String title, List<Integer> nodes, List<Arrow> arrows, History history) {
  private static final int MAX_OPERATIONS = 8;

  /** What a step is: observed, inferred, or supposed in order to be refuted. */
  enum Manner {
    OBSERVED("solid"),
    INFERRED("dashed"),
    SUPPOSED("dotted");

    private final String style;

    Manner(String style) {
      this.style = style;
    }

    /** How it is drawn, in Graphviz's and TikZ's word. */
    String style() {
      return style;
    }
  }

  /** A step as it is drawn, once however often the argument makes it. */
  record Arrow(int from, int to, EdgeKind kind, int key, boolean byPredicate, Manner manner) {}

  static List<Pictured> all(CheckResult result) {
    Explainer explainer = new Explainer(result.history());
    List<Pictured> pictures = new ArrayList<>();
    for (Anomaly anomaly : result.report().anomalies()) {
      for (Evidence evidence : anomaly.witnesses()) {
        Explanation explanation = explainer.explain(anomaly, evidence);
        List<Integer> nodes = new ArrayList<>(explanation.transactions());
        Set<Arrow> arrows = new LinkedHashSet<>();
        addSteps(explanation.steps(), arrows);
        addReasons(explanation.steps(), arrows);
        if (arrows.stream().anyMatch(Pictured::touchesInitial)) {
          nodes.add(0, Edge.INITIAL);
        }
        String title = anomaly.type().id() + ": " + explanation.headline();
        pictures.add(new Pictured(title, nodes, List.copyOf(arrows), result.history()));
      }
    }
    return pictures;
  }

  private static void addSteps(List<Step> steps, Set<Arrow> arrows) {
    for (Step step : steps) {
      Edge edge = step.edge();
      if (edge != null) {
        Manner manner =
            step.supposed()
                ? Manner.SUPPOSED
                : edge.because().isEmpty() ? Manner.OBSERVED : Manner.INFERRED;
        arrows.add(
            new Arrow(edge.from(), edge.to(), edge.kind(), edge.key(), edge.byPredicate(), manner));
      }
    }
  }

  private static void addReasons(List<Step> of, Set<Arrow> arrows) {
    for (Step step : of) {
      addSteps(step.because(), arrows);
      addReasons(step.because(), arrows);
    }
  }

  private static boolean touchesInitial(Arrow arrow) {
    return arrow.from() == Edge.INITIAL || arrow.to() == Edge.INITIAL;
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

  /** {@code rw(x)}, or {@code rw(pred x)}. */
  String label(Arrow arrow) {
    return new Wording(history).edge(arrow.kind(), arrow.key(), arrow.byPredicate());
  }
}
