package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks register reads against the snapshot that a certificate gives for the whole transaction:
 * until the transaction writes a key itself, it reads the last version in the snapshot. Rows that a
 * select returned are compared with its result instead.
 *
 * <p>Values are compared rather than writers: a read of a value that was written twice, or of an
 * absent row, does not name its writer.
 */
public final class SnapshotReads {
  private final History history;
  private final RowVersions rows;
  private final List<Contradiction> contradictions = new ArrayList<>();

  /**
   * A read that differs from its snapshot.
   *
   * @param read the read
   * @param write what wrote the version in the snapshot; negative for the initial one
   */
  public record Contradiction(int read, int write) {}

  public SnapshotReads(ReadsFrom reads, VersionOrders versions) {
    this.history = reads.history();
    if (!versions.given().certificate().hasSnapshots()) {
      this.rows = null;
      return;
    }
    this.rows = versions.rows();
    List<Integer> compared = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (versions.given().certificate().hasSnapshot(txn) && reads.counts(txn)) {
        addReads(txn, compared);
      }
    }
    SeenVersions seen = new SeenVersions(history, rows, versions.given().certificate());
    seen.visit(compared, (txn, op) -> compare(op, seen.version(history.key(op))));
  }

  public List<Contradiction> contradictions() {
    return contradictions;
  }

  private void addReads(int txn, List<Integer> compared) {
    Set<Integer> own = new HashSet<>();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
      int key = history.key(op);
      boolean known = history.kind(op) == OpKind.READ && history.value(op) != Values.UNKNOWN;
      if (known && rows.isKnown(key) && !own.contains(key)) {
        compared.add(op);
      }
      for (int row = op; row < history.nextOp(op); row++) {
        if (history.kind(row) == OpKind.WRITE) {
          own.add(history.key(row));
        }
      }
    }
  }

  private void compare(int read, int version) {
    int write = rows.write(version);
    int key = history.key(read);
    int expected = write < 0 ? history.initialValue(key) : history.value(write);
    if (!history.agrees(read, expected)) {
      contradictions.add(new Contradiction(read, write));
    }
  }
}
