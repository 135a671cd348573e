package dev.assay.infer;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;

/** The operations of one type, grouped by key and in file order. */
final class OpsByKey {
  private OpsByKey() {}

  static Grouping of(History history, OpKind.Type type) {
    return Grouping.of(
        history.keys().count(),
        history.operationCount(),
        op -> history.kind(op).type() == type ? history.key(op) : -1);
  }
}
