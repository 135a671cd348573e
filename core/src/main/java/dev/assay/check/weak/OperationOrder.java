package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.ReadsFrom;
import java.util.List;

/**
 * Whether an argument against {@code causal} also holds between single operations, which makes it
 * one against {@code causal-non-transactional}.
 *
 * <p>There every operation is a transaction: a session is one sequence of operations, and a read
 * follows the write it saw. So session order leads from every operation of a transaction to every
 * operation of a later one. A read of a transaction precedes a write of the same transaction only
 * if it comes first in program order. An argument whose steps meet in this way in every transaction
 * is a cycle of operations: the operations w1, w2 and r3 of a commit step w2 → w1 are a read r3 of
 * w1 and a write w2 of the same key, and the reasons of the step lead from w2 to r3. The reverse is
 * not claimed: where this finds nothing, other arguments may exist.
 *
 * <p>Steps that the split history may lack are not used: version orders, which may come from a
 * certificate, and reads of values written more than once, whose writer may have been chosen by
 * whole transactions.
 */
final class OperationOrder {
  private final History history;
  private final ReadsFrom reads;

  OperationOrder(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
  }

  /** Whether a witness of an anomaly is a cycle of operations. */
  boolean showsCycle(Anomaly anomaly) {
    return anomaly.witnesses().stream().anyMatch(this::isCycle);
  }

  /** Whether the steps of an argument are a cycle of operations. */
  boolean isCycle(Evidence evidence) {
    List<Edge> edges = evidence.edges();
    for (int i = 0; i < edges.size(); i++) {
      if (!holds(edges.get(i)) || !meet(edges.get(i), edges.get((i + 1) % edges.size()))) {
        return false;
      }
    }
    return !edges.isEmpty();
  }

  private boolean holds(Edge edge) {
    return switch (edge.kind()) {
      case SO -> true;
      case WR -> isCertain(edge);
      case WW -> edge.from() == Edge.INITIAL;
      case CM -> isForced(edge);
      default -> false;
    };
  }

  /** Whether the value read names the write, whatever else the transactions did. */
  private boolean isCertain(Edge edge) {
    int read = edge.toOp();
    return switch (history.kind(read).type()) {
      case REGISTER -> !reads.chosen().contains(read) && !reads.isCertified(read);
      case LIST -> edge.from() == Edge.INITIAL || !reads.elements().isRepeated(edge.fromOp());
      default -> false;
    };
  }

  /** Whether the last reason is a read of w1, and the others lead from w2 to that read. */
  private boolean isForced(Edge commit) {
    List<Edge> because = commit.because();
    Edge read = because.get(because.size() - 1);
    boolean isOfW1 = read.from() == commit.to() && read.fromOp() == commit.toOp();
    if (!isOfW1 || !isCertain(read)) {
      return false;
    }
    Edge first = because.get(0);
    Edge last = because.get(because.size() - 2);
    for (int i = 0; i < because.size() - 1; i++) {
      boolean goesOn = because.get(i) == last || meet(because.get(i), because.get(i + 1));
      if (!holds(because.get(i)) || !goesOn) {
        return false;
      }
    }
    boolean leaves = first.kind() == EdgeKind.SO || commit.fromOp() <= first.fromOp();
    boolean arrives = last.kind() == EdgeKind.SO || last.toOp() < read.toOp();
    return leaves && arrives && isWrite(commit.fromOp());
  }

  private boolean isWrite(int op) {
    return history.kind(op) == OpKind.WRITE || history.kind(op) == OpKind.APPEND;
  }

  /** Whether a step ends at an operation from which the next one may start. */
  private static boolean meet(Edge step, Edge next) {
    return step.to() == Edge.INITIAL
        || step.kind() == EdgeKind.SO
        || next.kind() == EdgeKind.SO
        || step.toOp() <= next.fromOp();
  }
}
