package dev.assay.collect.record;

import dev.assay.format.LongList;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.OpKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The operations of a transaction, kept until it has committed: only then its client learns the
 * numbers of the versions that it wrote.
 */
final class NumberedWrites {
  private final List<OpKind> kinds = new ArrayList<>();
  private final LongList keys = new LongList();
  private final LongList values = new LongList();

  void clear() {
    kinds.clear();
    keys.clear();
    values.clear();
  }

  void add(OpKind kind, long key, long value) {
    kinds.add(kind);
    keys.add(key);
    values.add(value);
  }

  boolean hasWrites() {
    return kinds.contains(OpKind.WRITE);
  }

  /**
   * Records the operations.
   *
   * @param numbered the value of a write with the number of its version
   */
  void record(AssayBinaryJournal journal, LongUnaryOperator numbered) {
    for (int i = 0; i < kinds.size(); i++) {
      boolean installs = kinds.get(i) == OpKind.WRITE && isLast(i);
      long value = values.get(i);
      journal.op(kinds.get(i), keys.get(i), installs ? numbered.applyAsLong(value) : value);
    }
  }

  /** Whether a write is the last of its key, which makes the version. */
  private boolean isLast(int write) {
    for (int i = write + 1; i < kinds.size(); i++) {
      if (kinds.get(i) == OpKind.WRITE && keys.get(i) == keys.get(write)) {
        return false;
      }
    }
    return true;
  }
}
