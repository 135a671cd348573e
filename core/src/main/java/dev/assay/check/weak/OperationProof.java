package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.ListChains;
import dev.assay.infer.VersionOrders;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/**
 * Proves {@code causal-non-transactional} with a commit order of whole transactions where {@code
 * causal} is violated, so that the history need not be split into operations, which takes as long
 * as all weak levels together.
 *
 * <p>In an order of operations that keeps the operations of each transaction together, a write of
 * another transaction is between a read and the write it saw only where its transaction is between
 * theirs. So the edges that operations force backwards are among those that transactions force
 * backwards: those where the write precedes the read itself, and not only another operation of its
 * transaction. If there are none, this order of operations satisfies every read. This needs reads
 * that see the last write of another transaction, or their own transaction's last write so far;
 * where others exist, or where no order of whole transactions suffices, nothing is said.
 */
final class OperationProof implements OrderSearch.EdgeTest {
  /** Maximum number of steps per operation of the history; beyond it, splitting costs less. */
  private static final int STEPS_PER_OPERATION = 4;

  private static final long MIN_STEPS = 1 << 20;

  private final Causality causality;
  private final History history;
  private final ReadsFrom reads;
  private final long maxSteps;
  private CommitOrder order;
  private long steps;

  /** The number of the search that last reached a transaction. */
  private int[] reachedBy;

  /** The operations of a transaction before this one are reached. */
  private int[] reachedTo;

  /** The operations before this one were followed. */
  private int[] followedTo;

  private int[] stack;
  private int searches;

  OperationProof(Causality causality) {
    this.causality = causality;
    this.history = causality.history();
    this.reads = causality.reads();
    this.maxSteps = Math.max(MIN_STEPS, (long) STEPS_PER_OPERATION * history.operationCount());
  }

  /** Whether an order of whole transactions may prove it; see above. */
  boolean isPossible(VersionOrders versions) {
    return reads.ambiguousReads() == 0
        && reads.chosen().isEmpty()
        && !reads.elements().hasAmbiguous()
        && appendsInOrder(versions.lists().chains())
        && readsSeeLastWrites();
  }

  /** Whether the elements that a transaction appended to a list are there in that order. */
  private boolean appendsInOrder(ListChains chains) {
    for (int key = 0; key < chains.keys(); key++) {
      int last = -1;
      for (int i = chains.first(key); i < chains.end(key); i++) {
        int append = chains.append(i);
        if (last > append && append >= history.firstOp(history.transactionOf(last))) {
          return false;
        }
        // Those that no read shows come after the last one shown, in any order.
        last = i < chains.shownEnd(key) ? append : last;
      }
    }
    return true;
  }

  private boolean readsSeeLastWrites() {
    int[] lastWrite = new int[history.keys().count()];
    Arrays.fill(lastWrite, -1);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!causality.counts(txn)) {
        continue;
      }
      int first = history.firstOp(txn);
      for (int op = first; op < history.endOp(txn); op++) {
        OpKind kind = history.kind(op);
        if (!kind.type().ordersVersions()) {
          return false;
        }
        int key = history.key(op);
        if (kind.isWrite()) {
          lastWrite[key] = op;
        } else if (!seesLastWrite(op, first, lastWrite[key])) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether a read sees a last write, or nothing that could be compared.
   *
   * @param first the first operation of its transaction
   * @param own the last write of the key before it, if not before the first operation
   */
  private boolean seesLastWrite(int read, int first, int own) {
    int source = causality.sourceOp(read);
    if (reads.isCertified(read)) {
      return false;
    }
    if (source >= first && source < history.endOp(history.transactionOf(read))) {
      return source == own;
    }
    boolean isOfOther =
        source == ReadsFrom.INITIAL
            || (source >= 0 && causality.counts(history.transactionOf(source)));
    return !isOfOther || (own < first && (source < 0 || !reads.isOverwritten(source)));
  }

  /** Whether an order proves the level, given the search that refuted {@code causal}. */
  boolean succeeds(OrderSearch search, OrderSearch.Result.Refuted refuted) {
    reachedBy = new int[history.transactionCount()];
    reachedTo = new int[reachedBy.length];
    followedTo = new int[reachedBy.length];
    stack = new int[16];
    return search.succeedsWith(refuted, this);
  }

  @Override
  public EdgeList kept(EdgeList edges, CommitOrder guess) {
    order = guess;
    EdgeList kept = new EdgeList();
    for (int i = 0; i < edges.size(); i++) {
      int t3 = edges.label(i);
      int write = firstWrite(edges.from(i), edges.mark(i));
      int read = lastRead(t3, edges.mark(i), edges.to(i));
      if (precedes(write, edges.from(i), read, t3)) {
        kept.add(edges.from(i), edges.to(i), t3, edges.mark(i));
      }
      if (steps > maxSteps) {
        return null;
      }
    }
    return kept;
  }

  /** A later write of the transaction follows this one. */
  private int firstWrite(int txn, int key) {
    int op = history.firstOp(txn);
    while (!history.kind(op).isWrite() || history.key(op) != key) {
      op++;
    }
    steps += op - history.firstOp(txn);
    return op;
  }

  /** An earlier read of the same version follows no more than this one. */
  private int lastRead(int txn, int key, int source) {
    int op = history.endOp(txn) - 1;
    while (history.kind(op).isWrite()
        || history.key(op) != key
        || causality.sourceOf(op) != source) {
      op--;
    }
    steps += history.endOp(txn) - op;
    return op;
  }

  /** Whether a write causally precedes a read, operation by operation. */
  private boolean precedes(int write, int t2, int read, int t3) {
    searches++;
    int lowest = order.rank(t2);
    int depth = reach(t3, read + 1, 0);
    while (depth > 0 && steps <= maxSteps) {
      int txn = stack[--depth];
      int previous = causality.previous(txn);
      if (previous != Causality.NONE && order.rank(previous) >= lowest) {
        depth = reach(previous, history.endOp(previous), depth);
      }
      int from = followedTo[txn];
      followedTo[txn] = reachedTo[txn];
      steps += 1 + reachedTo[txn] - from;
      for (int op = from; op < reachedTo[txn]; op++) {
        int source = causality.sourceOp(op);
        int writer = source < 0 ? txn : history.transactionOf(source);
        if (writer != txn && order.rank(writer) >= lowest) {
          depth = reach(writer, source + 1, depth);
        }
      }
      if (reachedBy[t2] == searches && reachedTo[t2] > write) {
        return true;
      }
    }
    return false;
  }

  /** Notes that the operations of a transaction before one are reached; the new depth. */
  private int reach(int txn, int end, int depth) {
    if (reachedBy[txn] != searches) {
      reachedBy[txn] = searches;
      followedTo[txn] = history.firstOp(txn);
    } else if (reachedTo[txn] >= end) {
      return depth;
    }
    reachedTo[txn] = end;
    if (depth == stack.length) {
      stack = Arrays.copyOf(stack, depth * 2);
    }
    stack[depth] = txn;
    return depth + 1;
  }
}
