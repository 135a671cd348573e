package dev.assay.check.weak;

import dev.assay.graph.EdgeList;
import dev.assay.level.EdgeKind;
import java.util.Arrays;

/**
 * The spans of an order covered by its back edges, overlapping ones merged. Every cycle of the
 * whole graph has a back edge and stays within the span of that edge, so all cycles are found
 * without looking elsewhere.
 */
final class Regions implements Scan.Region {
  private static final int NONE = -1;

  private final CommitOrder order;

  /** For each rank the first rank of its span, or −1. */
  private final int[] first;

  /** For each rank the last rank of its span. */
  private final int[] last;

  Regions(CommitOrder order, EdgeList backwards) {
    this.order = order;
    int size = order.size();
    int[] reach = new int[size];
    Arrays.fill(reach, NONE);
    for (int i = 0; i < backwards.size(); i++) {
      int low = order.rank(backwards.to(i));
      reach[low] = Math.max(reach[low], order.rank(backwards.from(i)));
    }
    first = new int[size];
    last = new int[size];
    Arrays.fill(first, NONE);
    int start = NONE;
    int end = NONE;
    for (int rank = 0; rank < size; rank++) {
      if (rank > end) {
        close(start, end);
        start = reach[rank] == NONE ? NONE : rank;
        end = rank;
      }
      if (start != NONE) {
        end = Math.max(end, reach[rank]);
      }
    }
    close(start, end);
  }

  private void close(int start, int end) {
    if (start != NONE) {
      Arrays.fill(first, start, end + 1, start);
      Arrays.fill(last, start, end + 1, end);
    }
  }

  private boolean inRegion(int rank) {
    return rank >= 0 && first[rank] != NONE;
  }

  @Override
  public int lowest(int rankOfT1) {
    return inRegion(rankOfT1) ? first[rankOfT1] : Integer.MAX_VALUE;
  }

  @Override
  public int end(int rankOfT1, int rankOfT3) {
    return inRegion(rankOfT1) ? last[rankOfT1] + 1 : 0;
  }

  /** The edges of causal order inside the spans. */
  EdgeList causalEdges(Causality causality, OrderSearch search) {
    EdgeList edges = new EdgeList();
    for (int rank = 0; rank < order.size(); rank++) {
      if (!inRegion(rank)) {
        continue;
      }
      int txn = order.at(rank);
      int previous = search.sessions() ? causality.previous(txn) : Causality.NONE;
      if (previous != Causality.NONE && together(previous, txn)) {
        edges.add(previous, txn, EdgeKind.SO.ordinal(), NONE);
      }
      for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
        int source = causality.source(i);
        if (together(source, txn) && !search.cycles().together(source, txn)) {
          edges.add(source, txn, EdgeKind.WR.ordinal(), NONE);
        }
      }
    }
    EdgeList versions = causality.versions();
    for (int i = 0; i < versions.size(); i++) {
      int from = versions.from(i);
      int to = versions.to(i);
      if (together(from, to) && !search.cycles().together(from, to)) {
        edges.add(from, to, EdgeKind.WW.ordinal(), versions.label(i));
      }
    }
    return edges;
  }

  private boolean together(int a, int b) {
    int rankA = order.rank(a);
    int rankB = order.rank(b);
    return inRegion(rankA) && inRegion(rankB) && first[rankA] == first[rankB];
  }
}
