package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds which version a read of an absent row saw: the unborn version or a deletion. The value read
 * does not name it. But where a certificate gives the snapshot of the whole transaction and the
 * order of all versions of the key, it is the last version in that snapshot. If the snapshot has a
 * row there, the read contradicts it, which {@link SnapshotReads} reports.
 */
public final class AbsentRows {
  private final History history;
  private final ReadsFrom reads;
  private final RowVersions rows;
  private final Map<Integer, int[]> resolved = new HashMap<>();

  private AbsentRows(ReadsFrom reads, RowVersions rows) {
    this.history = reads.history();
    this.reads = reads;
    this.rows = rows;
  }

  /** The sources of reads, with those of absent rows where a certificate determines them. */
  public static ReadsFrom resolved(ReadsFrom reads, Given given) {
    History history = reads.history();
    List<Integer> open = new ArrayList<>();
    if (history.uses(OpKind.Type.PREDICATE) && given.certificate().hasSnapshots()) {
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          if (isOpen(reads, op)) {
            open.add(op);
          }
        }
      }
    }
    if (open.isEmpty()) {
      return reads;
    }
    RowVersions rows = new VersionOrders(history, reads, given).rows();
    AbsentRows absent = new AbsentRows(reads, rows);
    SeenVersions seen = new SeenVersions(history, rows, given.certificate());
    seen.visit(open, (txn, op) -> absent.look(op, seen.version(history.key(op))));
    return absent.resolved.isEmpty() ? reads : reads.certifying(absent.resolved);
  }

  private static boolean isOpen(ReadsFrom reads, int op) {
    History history = reads.history();
    return history.kind(op) == OpKind.READ
        && history.value(op) == Values.NIL
        && (reads.source(op) == ReadsFrom.AMBIGUOUS || reads.chosen().contains(op));
  }

  private void look(int op, int version) {
    if (!rows.isKnown(history.key(op)) || isAfterOwnWrite(op)) {
      return;
    }
    int write = rows.write(version);
    int source = write == RowVersions.INITIAL ? ReadsFrom.INITIAL : write;
    boolean possible = reads.source(op) == source;
    for (int candidate : reads.candidates(op)) {
      possible |= candidate == source;
    }
    if (possible) {
      resolved.put(op, new int[] {source});
    }
  }

  private boolean isAfterOwnWrite(int read) {
    for (int op = history.firstOp(history.transactionOf(read)); op < read; op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == history.key(read)) {
        return true;
      }
    }
    return false;
  }
}
