package dev.assay.check.strong;

import dev.assay.graph.BreadthFirstSearch;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import java.util.List;

/**
 * Known version orders, key by key. Members ordered through writers that are not members stay
 * ordered.
 */
final class KnownOrder {
  private final Instance instance;
  private final EdgeList all = new EdgeList();
  private final Grouping byKey;

  /** Created when a writer that is not a member is encountered. */
  private Digraph successors;

  private BreadthFirstSearch search;

  KnownOrder(Instance instance, List<EdgeList> orders) {
    this.instance = instance;
    orders.forEach(all::addAll);
    byKey = Grouping.of(instance.history.keys().count(), all.size(), all::label);
  }

  void visit(int key, Instance.KeyVisitor visitor) {
    boolean complete = true;
    for (int i = byKey.first(key); i < byKey.end(key); i++) {
      int first = instance.number[all.from(byKey.item(i))];
      int second = instance.number[all.to(byKey.item(i))];
      if (first >= 0 && second >= 0) {
        visitor.order(first, second);
      }
      complete &= first >= 0 && second >= 0;
    }
    for (int i = byKey.first(key); !complete && i < byKey.end(key); i++) {
      int from = all.from(byKey.item(i));
      int to = all.to(byKey.item(i));
      if (instance.number[from] >= 0 && instance.number[to] < 0) {
        bridge(from, to, key, visitor);
      }
    }
  }

  /** Orders a member before the first members reached through non-members. */
  private void bridge(int from, int outside, int key, Instance.KeyVisitor visitor) {
    if (successors == null) {
      successors = Digraph.successors(instance.history.transactionCount(), all);
      search = new BreadthFirstSearch(successors.nodes());
    }
    search.start(outside);
    for (int txn = search.next(); txn >= 0; txn = search.next()) {
      boolean leadsOn = instance.number[txn] < 0;
      for (int i = successors.first(txn); leadsOn && i < successors.end(txn); i++) {
        int to = successors.neighbour(i);
        boolean isNew = all.label(successors.edge(i)) == key && search.reach(to, i);
        if (isNew && instance.number[to] >= 0 && to != from) {
          visitor.order(instance.number[from], instance.number[to]);
        }
      }
    }
  }
}
