package dev.assay.check.weak;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.level.EdgeKind;

/**
 * The strongly connected components of causal order: transactions that precede each other by
 * session order, reads and known versions.
 */
final class CausalCycles {
  /** Null when there is none. */
  private final Components components;

  private CausalCycles(Components components) {
    this.components = components;
  }

  static CausalCycles none() {
    return new CausalCycles(null);
  }

  static CausalCycles of(Causality causality, boolean sessions) {
    return new CausalCycles(Components.of(causality.transactions(), edges(causality, sessions)));
  }

  /** Every edge of causal order, labelled with its kind. */
  static EdgeList edges(Causality causality, boolean sessions) {
    EdgeList edges = new EdgeList();
    for (int txn = 0; txn < causality.transactions(); txn++) {
      if (sessions && causality.previous(txn) != Causality.NONE) {
        edges.add(causality.previous(txn), txn, EdgeKind.SO.ordinal(), -1);
      }
      for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
        edges.add(causality.source(i), txn, EdgeKind.WR.ordinal(), -1);
      }
    }
    EdgeList versions = causality.versions();
    for (int i = 0; i < versions.size(); i++) {
      edges.add(versions.from(i), versions.to(i), EdgeKind.WW.ordinal(), versions.label(i));
    }
    return edges;
  }

  boolean any() {
    return components != null;
  }

  /** Whether both are in one cycle. */
  boolean together(int a, int b) {
    return components != null && components.same(a, b);
  }

  Components components() {
    return components;
  }
}
