package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import dev.assay.resolve.ReadsFrom;

/**
 * Edges to predicate operations from the transactions whose versions they saw according to a
 * certificate, provided that these committed first. For a snapshot, an edge from its last commit is
 * enough, because the commits are chained.
 */
final class PredicateVisibility {
  private final History history;
  private final ReadsFrom reads;
  private final VersionCertificate certificate;

  /** For each n, the last of the first n commits that counts, or −1. */
  private final int[] last;

  PredicateVisibility(History history, ReadsFrom reads, VersionCertificate certificate) {
    this.history = history;
    this.reads = reads;
    this.certificate = certificate;
    int[] commits = certificate.commits();
    this.last = new int[commits.length + 1];
    last[0] = -1;
    for (int i = 0; i < commits.length; i++) {
      last[i + 1] = reads.counts(commits[i]) ? commits[i] : last[i];
    }
  }

  EdgeList addTo(EdgeList edges) {
    boolean snapshots = false;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (!history.kind(op).isPredicate() || !reads.counts(txn)) {
          continue;
        }
        VersionSet set = certificate.versionSet(txn, op);
        if (set instanceof VersionSet.Listed listed) {
          for (int write : listed.writes().values()) {
            add(edges, write < 0 ? -1 : history.transactionOf(write), txn);
          }
        } else if (set instanceof VersionSet.Snapshot snapshot) {
          snapshots = true;
          add(edges, last[snapshot.commits()], txn);
          for (int also : snapshot.also()) {
            add(edges, also, txn);
          }
        }
      }
    }
    for (int i = 2; snapshots && i < last.length; i++) {
      add(edges, last[i - 1], last[i]);
    }
    return edges;
  }

  private void add(EdgeList edges, int from, int to) {
    if (from >= 0 && from != to && reads.counts(from)) {
      edges.add(from, to, 0, 0);
    }
  }
}
