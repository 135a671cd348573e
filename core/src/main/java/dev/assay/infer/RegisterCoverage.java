package dev.assay.infer;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.type.KnownOrders;
import java.util.Arrays;
import java.util.BitSet;

/** How much of the version order of each register is determined by a set of edges. */
final class RegisterCoverage {
  private RegisterCoverage() {}

  static KnownOrders of(History history, RegisterInteractions versions, EdgeList edges) {
    // Successors have lower numbers, so descending numbers are a topological order; it is the only
    // one iff an edge joins each two consecutive nodes.
    Components components = Components.of(versions.versionCount(), edges);
    int[] place = new int[versions.versionCount()];
    BitSet registers = registers(history);
    for (int key = registers.nextSetBit(0); key >= 0; key = registers.nextSetBit(key + 1)) {
      int first = versions.firstVersion[key] + 1;
      int count = Math.max(0, versions.firstVersion[key + 1] - first);
      int[] order = new int[count];
      long[] rank = new long[count];
      for (int i = 0; i < count; i++) {
        order[i] = i;
        rank[i] = -components.of(first + i);
      }
      order = Sorted.by(Arrays.copyOf(order, count), i -> rank[i]);
      for (int i = 0; i < count; i++) {
        place[first + order[i]] = i;
      }
    }
    BitSet followed = new BitSet();
    BitSet some = new BitSet();
    for (int e = 0; e < edges.size(); e++) {
      boolean initial = edges.from(e) == versions.firstVersion[edges.label(e)];
      if (!initial && !components.same(edges.from(e), edges.to(e))) {
        some.set(edges.label(e));
        if (place[edges.to(e)] == place[edges.from(e)] + 1) {
          followed.set(edges.from(e));
        }
      }
    }
    int total = 0;
    int partial = 0;
    for (int key = registers.nextSetBit(0); key >= 0; key = registers.nextSetBit(key + 1)) {
      int first = versions.firstVersion[key] + 1;
      int end = versions.firstVersion[key + 1];
      int links = followed.get(first, Math.max(first, end)).cardinality();
      if (links >= end - first - 1) {
        total++;
      } else if (some.get(key)) {
        partial++;
      }
    }
    return new KnownOrders(total, partial, registers.cardinality() - total - partial);
  }

  /** The keys that are registers. */
  static BitSet registers(History history) {
    BitSet keys = new BitSet();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.REGISTER) {
        keys.set(history.key(op));
      }
    }
    return keys;
  }
}
