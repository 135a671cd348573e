package dev.assay.resolve;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Rewriting;

/**
 * Copies operations into parts of their transactions. The number of a version that its transaction
 * overwrote orders nothing, but would as the last one of a part. So such versions get names
 * instead.
 */
public final class PartCopy {
  private final History history;
  private final ReadsFrom reads;
  private final Rewriting.Builder builder;

  public PartCopy(History history, ReadsFrom reads, Rewriting.Builder builder) {
    this.history = history;
    this.reads = reads;
    this.builder = builder;
  }

  /** Copies one, as {@link Rewriting.Builder#copy} does. */
  public void copy(int op) {
    int overwritten = history.hasVersionNumbers() ? overwritten(op) : -1;
    if (overwritten < 0) {
      builder.copy(op);
    } else {
      long name = builder.history().scalars().of("written by " + overwritten);
      builder.from(op).history().op(history.kind(op), builder.rawKey(op), name);
    }
  }

  /** The numbered write that an operation is, or read, if its transaction overwrote it; else −1. */
  private int overwritten(int op) {
    boolean writes = history.kind(op) == OpKind.WRITE;
    int write = writes || history.kind(op) != OpKind.READ ? op : reads.source(op);
    boolean numbered =
        write >= 0
            && history.kind(write) == OpKind.WRITE
            && history.values().isVersioned(history.value(write));
    return numbered && reads.isOverwritten(write) ? write : -1;
  }
}
