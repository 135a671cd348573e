package dev.assay.check.adya;

import dev.assay.check.Edge;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.infer.Dependencies;
import dev.assay.infer.ListChains;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Update atomicity (Cerone, Bernardi and Gotsman, CONCUR 2015) where versions of lists are known:
 * no transaction misses a version of one that precedes it in its session, that it read from, or
 * that wrote a key before it did. Decided only if session order, ww and wr have no cycle; then
 * every topological order agrees with the version order of lists, and only writers between the
 * version read and the reader need to be checked.
 */
final class UpdateAtomic {
  private final Dependencies dependencies;
  private final History history;
  private final ListChains chains;

  /** The place of each transaction in a topological order of session order, ww and wr. */
  private final int[] position;

  /** The appends to each list as in the chains, those that no read shows in that order too. */
  private final int[] append;

  UpdateAtomic(Dependencies dependencies, int[] position) {
    this.dependencies = dependencies;
    this.history = dependencies.history();
    this.chains = dependencies.lists().chains();
    this.position = position;
    this.append = ordered(chains, history, position);
  }

  static int[] ordered(ListChains chains, History history, int[] position) {
    int total = chains.keys() == 0 ? 0 : chains.end(chains.keys() - 1);
    int[] appends = new int[total];
    for (int key = 0; key < chains.keys(); key++) {
      int unread = chains.end(key) - chains.shownEnd(key);
      int[] tail = new int[unread];
      for (int i = chains.first(key); i < chains.end(key); i++) {
        appends[i] = chains.append(i);
        if (i >= chains.shownEnd(key)) {
          tail[i - chains.shownEnd(key)] = chains.append(i);
        }
      }
      if (unread > 1) {
        tail = Sorted.by(tail, op -> position[history.transactionOf(op)]);
        System.arraycopy(tail, 0, appends, chains.shownEnd(key), unread);
      }
    }
    return appends;
  }

  /**
   * Reads that miss a version they should have seen: the rw edge to its writer and an edge back,
   * one for each kind of edge back.
   */
  List<List<Edge>> missedVersions() {
    Map<EdgeKind, List<Edge>> found = new EnumMap<>(EdgeKind.class);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!dependencies.reads().counts(txn)) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        List<Edge> missed = isExternalRead(op, txn) ? missedBy(op, txn) : List.of();
        if (!missed.isEmpty()) {
          found.putIfAbsent(missed.get(1).kind(), missed);
        }
      }
    }
    return List.copyOf(found.values());
  }

  private boolean isExternalRead(int read, int txn) {
    if (history.kind(read).isWrite() || dependencies.sourceOp(read) < ReadsFrom.INITIAL) {
      return false;
    }
    for (int op = history.firstOp(txn); op < read; op++) {
      if (history.key(op) == history.key(read) && history.kind(op).isWrite()) {
        return false;
      }
    }
    return true;
  }

  private List<Edge> missedBy(int read, int reader) {
    int key = history.key(read);
    int write = dependencies.sourceOp(read);
    int writer = write < 0 ? -1 : history.transactionOf(write);
    if (!chains.identifiesVersion(read) || (write >= 0 && chains.place(write) < 0)) {
      return List.of();
    }
    int from = write < 0 ? chains.first(key) : chains.place(write) + 1;
    for (int i = from; i < chains.end(key); i++) {
      int other = history.transactionOf(append[i]);
      if (position[other] >= position[reader]) {
        break;
      }
      Edge seen = other == writer ? null : seen(other, reader);
      if (seen != null) {
        return List.of(Edge.of(reader, other, EdgeKind.RW, key, read, append[i]), seen);
      }
    }
    return List.of();
  }

  /** Why a later transaction must see an earlier one, or null. */
  private Edge seen(int earlier, int later) {
    if (history.session(later) == history.session(earlier)) {
      return Edge.of(earlier, later, EdgeKind.SO, -1, -1, -1);
    }
    for (int op = history.firstOp(later); op < history.endOp(later); op++) {
      int key = history.key(op);
      int source = dependencies.sourceOp(op);
      if (source >= 0 && history.transactionOf(source) == earlier) {
        return Edge.of(earlier, later, EdgeKind.WR, key, source, op);
      }
      int write = history.kind(op).isWrite() ? history.lastWrite(earlier, key) : -1;
      if (write >= 0) {
        return Edge.of(earlier, later, EdgeKind.WW, key, write, op);
      }
    }
    return null;
  }
}
