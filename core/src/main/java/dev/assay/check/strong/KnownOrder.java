package dev.assay.check.strong;

import dev.assay.graph.EdgeList;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;

/** Known orders of versions, key by key; what a writer that is not a member connects stays so. */
final class KnownOrder {
  private final Instance instance;
  private final EdgeList all = new EdgeList();
  private final int[] firstOfKey;
  private final int[] edges;

  KnownOrder(Instance instance, List<EdgeList> orders) {
    this.instance = instance;
    orders.forEach(all::addAll);
    int keys = instance.history.keys().count();
    firstOfKey = new int[keys + 1];
    for (int e = 0; e < all.size(); e++) {
      firstOfKey[all.label(e) + 1]++;
    }
    for (int key = 0; key < keys; key++) {
      firstOfKey[key + 1] += firstOfKey[key];
    }
    edges = new int[all.size()];
    int[] next = firstOfKey.clone();
    for (int e = 0; e < all.size(); e++) {
      edges[next[all.label(e)]++] = e;
    }
  }

  void visit(int key, Instance.KeyVisitor visitor) {
    boolean complete = true;
    for (int i = firstOfKey[key]; i < firstOfKey[key + 1]; i++) {
      int first = instance.number[all.from(edges[i])];
      int second = instance.number[all.to(edges[i])];
      if (first >= 0 && second >= 0) {
        visitor.order(first, second);
      }
      complete &= first >= 0 && second >= 0;
    }
    for (int i = firstOfKey[key]; !complete && i < firstOfKey[key + 1]; i++) {
      int from = all.from(edges[i]);
      if (instance.number[from] >= 0 && instance.number[all.to(edges[i])] < 0) {
        bridge(from, all.to(edges[i]), key, visitor);
      }
    }
  }

  /** Orders a member before the members first reached through others. */
  private void bridge(int from, int outside, int key, Instance.KeyVisitor visitor) {
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(outside));
    BitSet seen = new BitSet();
    seen.set(outside);
    while (!open.isEmpty()) {
      int txn = open.remove();
      for (int i = firstOfKey[key]; i < firstOfKey[key + 1]; i++) {
        int to = all.to(edges[i]);
        if (all.from(edges[i]) == txn && !seen.get(to)) {
          seen.set(to);
          if (instance.number[to] < 0) {
            open.add(to);
          } else if (to != from) {
            visitor.order(instance.number[from], instance.number[to]);
          }
        }
      }
    }
  }
}
