package dev.assay.render.html;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explanation;
import dev.assay.explain.Explanation.Step;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A witness as a graph: transactions with their operations, and the steps between them. What only
 * the reasons of inferred steps mention is there too, and shown on demand.
 */
record Graph(List<Node> nodes, List<Link> links) {
  /** Transactions with more operations show only those the argument names. */
  private static final int MAX_OPERATIONS = 8;

  /** Maximum number of operations behind a line that can be unfolded. */
  private static final int MAX_FOLDED = 24;

  /** The step for the reads that show the order of versions. */
  static final String SEEN = "seen";

  /** A transaction, or the initial state. */
  record Node(int txn, boolean outer, boolean seen, String name, String where, List<Line> lines) {
    String id() {
      return nodeId(txn);
    }

    double width() {
      int widest = Cells.width(name) + 2 + Cells.width(where);
      for (Line line : lines) {
        widest = Math.max(widest, Cells.width(line.text()));
      }
      return Math.round(widest * Cells.ADVANCE + 2 * Cells.PADDING);
    }

    double height() {
      return Cells.HEAD + (lines.isEmpty() ? 0 : lines.size() * Cells.LINE + Cells.PADDING);
    }
  }

  /**
   * A line inside a node: an operation, or what is left out.
   *
   * @param op the operation, or −1
   * @param folded the operations that are left out, to be unfolded
   */
  record Line(String text, int op, boolean named, List<String> folded) {
    Line(String text, int op, boolean named) {
      this(text, op, named, List.of());
    }
  }

  /** A step between two transactions, drawn once however often the argument makes it. */
  record Link(String id, Edge edge, boolean supposed, boolean outer, List<String> steps) {}

  private record Same(int from, int to, EdgeKind kind, int key, boolean supposed) {}

  static String nodeId(int txn) {
    return txn == Edge.INITIAL ? "init" : "t" + txn;
  }

  static Graph of(History history, Evidence evidence, Explanation explanation, Argument argument) {
    Map<Same, Link> links = new LinkedHashMap<>();
    Set<Integer> outer = new LinkedHashSet<>();
    Set<Integer> inner = new LinkedHashSet<>();
    for (Argument.Shown shown : argument.all()) {
      Step step = shown.step();
      if (step.edge() == null) {
        step.operations().forEach(op -> outer.add(history.transactionOf(op)));
        continue;
      }
      boolean isOuter = argument.steps().contains(shown);
      Edge edge = step.edge();
      Set<Integer> nodes = isOuter ? outer : inner;
      nodes.add(edge.from());
      nodes.add(edge.to());
      Same same = new Same(edge.from(), edge.to(), edge.kind(), edge.key(), step.supposed());
      String id = "e" + (links.size() + 1);
      Link link =
          links.computeIfAbsent(
              same, s -> new Link(id, edge, step.supposed(), isOuter, new ArrayList<>()));
      link.steps.add(step.number());
    }
    for (int op : evidence.operations()) {
      int txn = history.transactionOf(op);
      if (!inner.contains(txn) && outer.size() < CasePage.MAX_TRANSACTIONS) {
        outer.add(txn);
      }
    }
    Set<Integer> seen = new LinkedHashSet<>();
    evidence.shownBy().forEach(op -> seen.add(history.transactionOf(op)));
    Set<Integer> all = new LinkedHashSet<>(outer);
    all.addAll(inner);
    all.addAll(seen);
    Set<Integer> named = new TreeSet<>(explanation.operations());
    named.addAll(evidence.shownBy());
    Wording wording = new Wording(history);
    List<Node> nodes = new ArrayList<>();
    for (int txn : all) {
      nodes.add(node(history, wording, txn, outer.contains(txn), seen.contains(txn), named));
    }
    return new Graph(nodes, List.copyOf(links.values()));
  }

  private static Node node(
      History history, Wording wording, int txn, boolean outer, boolean seen, Set<Integer> named) {
    if (txn == Edge.INITIAL) {
      return new Node(txn, outer, seen, "initial state", "", List.of());
    }
    List<Line> lines = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    boolean all = history.endOp(txn) - history.firstOp(txn) <= MAX_OPERATIONS;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (all || named.contains(op)) {
        addSkipped(lines, skipped);
        skipped.clear();
        lines.add(new Line(Cells.shortened(wording.operation(op)), op, named.contains(op)));
      } else {
        skipped.add(Cells.shortened(wording.operation(op)));
      }
    }
    addSkipped(lines, skipped);
    String session = Cells.shortened(wording.session(txn), Cells.MAX_SESSION);
    String fate =
        switch (history.outcome(txn)) {
          case COMMITTED -> "";
          case ABORTED -> "✗ ";
          case INDETERMINATE -> "? ";
        };
    String name = Cells.shortened(wording.name(txn), Cells.MAX_NAME);
    return new Node(txn, outer, seen, name, fate + session, lines);
  }

  private static void addSkipped(List<Line> lines, List<String> skipped) {
    int count = skipped.size();
    if (count == 0) {
      return;
    }
    List<String> folded = new ArrayList<>(skipped.subList(0, Math.min(count, MAX_FOLDED)));
    if (count > MAX_FOLDED) {
      folded.add("⋯ and " + (count - MAX_FOLDED) + " more in the history");
    }
    lines.add(new Line("⋯ " + count + " more", -1, false, folded));
  }

  /** What a transaction is and did, for readers who cannot see the picture. */
  static String description(History history, Node node) {
    if (node.txn() == Edge.INITIAL) {
      return "the initial state";
    }
    Wording wording = new Wording(history);
    List<String> did = new ArrayList<>();
    for (Line line : node.lines()) {
      did.add(line.op() < 0 ? line.text() : wording.operation(line.op()));
    }
    Outcome outcome = history.outcome(node.txn());
    return wording.name(node.txn())
        + ", "
        + wording.session(node.txn())
        + ", "
        + (outcome == Outcome.INDETERMINATE ? "of unknown outcome" : outcome.id())
        + ": "
        + String.join("; ", did);
  }

  /** {@code rw(x)}, or {@code rw(pred x)}. */
  static String label(History history, Edge edge) {
    return new Wording(history).edge(edge.kind(), edge.key(), edge.byPredicate());
  }
}
