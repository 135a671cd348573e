package dev.assay.format;

import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import java.util.BitSet;

/** The register reads that saw the initial state, unless a transaction loaded what they saw. */
public final class InitialReads {
  private final History history;
  private final BitSet loaded = new BitSet();

  public InitialReads(History history) {
    this.history = history;
    Loaders loaders = new Loaders(history);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (loaders.isLoader(txn)) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          loaded.set(history.key(op));
        }
      }
    }
  }

  public boolean has(int op) {
    return history.kind(op) == OpKind.READ
        && history.isInitial(history.key(op), history.values().unversioned(history.value(op)))
        && !loaded.get(history.key(op));
  }
}
