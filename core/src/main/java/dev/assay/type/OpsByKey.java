package dev.assay.type;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;

/** The operations of one type, grouped by key and in file order. */
public final class OpsByKey {
  private OpsByKey() {}

  public static Grouping of(History history, OpKind.Type type) {
    return Grouping.of(
        history.keys().count(),
        history.operationCount(),
        op -> history.kind(op).type() == type ? history.key(op) : -1);
  }
}
