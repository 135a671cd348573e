package dev.assay.check.adya;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.History;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The part of the graph in which all cycles lie: the strongly connected components of more than one
 * node, renumbered, with the edges inside them. Usually far smaller than the whole.
 */
final class CyclicSubgraph {
  private final AdyaGraph graph;

  /** Numbers in the whole graph, ascending: transactions first. */
  private final int[] node;

  private final int transactions;
  private final Grouping targets;
  private final int[] edge;

  /**
   * Ordinals of the kinds of edges, here because the edges of the graph are far apart in memory.
   */
  private final byte[] kind;

  /** The components of the whole graph; null if they were not computed. */
  private final Components outside;

  private final Map<Integer, Ranks> ranks = new HashMap<>();

  /**
   * The components computed last: after finding one cyclic, callers search for a cycle in the same
   * ones.
   */
  private Components lastComponents;

  private Events lastEvents;
  private int lastKinds;

  private CyclicSubgraph(AdyaGraph graph, int[] node, EdgeList inside, Components outside) {
    this.graph = graph;
    this.outside = outside;
    this.node = node;
    int bound = Arrays.binarySearch(node, graph.transactions());
    this.transactions = bound < 0 ? -bound - 1 : bound;
    Grouping.Builder builder = new Grouping.Builder(node.length);
    for (int i = 0; i < inside.size(); i++) {
      builder.count(inside.from(i));
    }
    int[] target = new int[builder.total()];
    this.edge = new int[target.length];
    this.kind = new byte[target.length];
    for (int i = 0; i < inside.size(); i++) {
      int place = builder.place(inside.from(i));
      target[place] = inside.to(i);
      edge[place] = inside.mark(i);
      kind[place] = (byte) graph.edgeKind(edge[place]).ordinal();
    }
    this.targets = builder.build(target);
  }

  static CyclicSubgraph of(AdyaGraph graph) {
    return of(graph, graph.edges(), false);
  }

  /** The same without anti-dependencies by predicates. */
  static CyclicSubgraph ofItems(AdyaGraph graph) {
    return of(graph, numbered(graph, true), true);
  }

  /** The edges of the graph, marked with their numbers. */
  private static EdgeList numbered(AdyaGraph graph, boolean itemsOnly) {
    EdgeList edges = graph.edges();
    EdgeList numbered = new EdgeList();
    for (int i = 0; i < edges.size(); i++) {
      if (!itemsOnly || !graph.isByPredicate(i) || graph.kind(i) != AdyaGraph.RW) {
        numbered.add(edges.from(i), edges.to(i), 0, i);
      }
    }
    return numbered;
  }

  /**
   * The part with some edges.
   *
   * @param marked whether these are marked with their numbers in the graph; otherwise they are all
   *     of its edges
   */
  private static CyclicSubgraph of(AdyaGraph graph, EdgeList edges, boolean marked) {
    Components components = Components.of(graph.nodes(), edges);
    int[] number = new int[graph.nodes()];
    int[] node = new int[graph.nodes()];
    int size = 0;
    for (int i = 0; i < number.length && components.count() < graph.nodes(); i++) {
      if (components.size(components.of(i)) > 1) {
        number[i] = size;
        node[size++] = i;
      }
    }
    EdgeList inside = new EdgeList();
    for (int i = 0; i < edges.size() && size > 0; i++) {
      int component = components.of(edges.from(i));
      if (component == components.of(edges.to(i)) && components.size(component) > 1) {
        int edge = marked ? edges.mark(i) : i;
        inside.add(number[edges.from(i)], number[edges.to(i)], 0, edge);
      }
    }
    return new CyclicSubgraph(graph, Arrays.copyOf(node, size), inside, components);
  }

  /** The whole graph in the same form. */
  static CyclicSubgraph whole(AdyaGraph graph) {
    int[] all = IntStream.range(0, graph.nodes()).toArray();
    return new CyclicSubgraph(graph, all, numbered(graph, false), null);
  }

  /** All nodes of a graph that has no cycles, each before those it leads to. */
  int[] topological() {
    return Conditions.topological(outside, graph.nodes());
  }

  int size() {
    return node.length;
  }

  boolean isEmpty() {
    return node.length == 0;
  }

  boolean isTransaction(int local) {
    return local < transactions;
  }

  int edges() {
    return edge.length;
  }

  int transactions() {
    return transactions;
  }

  int node(int local) {
    return node[local];
  }

  /** The edges that leave a node are those at these places. */
  int first(int local) {
    return targets.first(local);
  }

  int end(int local) {
    return targets.end(local);
  }

  int target(int place) {
    return targets.item(place);
  }

  int edge(int place) {
    return edge[place];
  }

  int kind(int place) {
    return 1 << kind[place];
  }

  History history() {
    return graph.history();
  }

  /** Ranks that fall only along rw edges, given the other kinds to respect; cached. */
  Ranks ranks(int kinds) {
    return ranks.computeIfAbsent(kinds & ~AdyaGraph.RW, k -> new Ranks(this, k));
  }

  /** Whether an edge is a dependency by a predicate. */
  boolean isByPredicate(int place) {
    return graph.isByPredicate(edge[place]);
  }

  /** Whether any edge is an anti-dependency by a predicate. */
  boolean missesByPredicate() {
    for (int place = 0; place < edge.length && graph.hasPredicates(); place++) {
      if (isByPredicate(place) && kind(place) == AdyaGraph.RW) {
        return true;
      }
    }
    return false;
  }

  /** The number here of a transaction of the graph, or a negative one if it is not a part. */
  int local(int txn) {
    return Arrays.binarySearch(node, 0, transactions, txn);
  }

  /** The components when only some kinds of edges are left. */
  Components components(int kinds) {
    if (!isLast(null, kinds)) {
      int[] firstLeft = new int[size() + 1];
      int[] left = new int[targets.size()];
      int count = 0;
      for (int from = 0; from < size(); from++) {
        for (int place = targets.first(from); place < targets.end(from); place++) {
          if ((kind(place) & kinds) != 0) {
            left[count++] = targets.item(place);
          }
        }
        firstLeft[from + 1] = count;
      }
      remember(null, kinds, Components.of(new Grouping(firstLeft, left)));
    }
    return lastComponents;
  }

  private boolean isLast(Events events, int kinds) {
    return lastComponents != null && lastEvents == events && lastKinds == kinds;
  }

  private void remember(Events events, int kinds, Components components) {
    lastEvents = events;
    lastKinds = kinds;
    lastComponents = components;
  }

  /**
   * The components of the graph of beginnings and commits: node n is the beginning of a transaction
   * (or a node that is not a transaction), {@link #commit} its commit.
   */
  Components eventComponents(Events events, int kinds) {
    if (!isLast(events, kinds)) {
      remember(events, kinds, findEventComponents(events, kinds));
    }
    return lastComponents;
  }

  private Components findEventComponents(Events events, int kinds) {
    EdgeList left = new EdgeList();
    for (int from = 0; from < size(); from++) {
      if (isTransaction(from)) {
        left.add(from, commit(from), 0, 0);
      }
      for (int place = targets.first(from); place < targets.end(from); place++) {
        int kind = kind(place);
        if ((kind & kinds) != 0) {
          left.add(eventFrom(events, from, kind), eventTo(events, targets.item(place), kind), 0, 0);
        }
      }
    }
    return Components.of(size() + transactions, left);
  }

  int commit(int transaction) {
    return size() + transaction;
  }

  int eventFrom(Events events, int from, int kind) {
    return isTransaction(from) && events.leavesCommit(kind) ? commit(from) : from;
  }

  int eventTo(Events events, int to, int kind) {
    return isTransaction(to) && events.entersCommit(kind) ? commit(to) : to;
  }
}
