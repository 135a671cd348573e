package dev.assay.check.weak;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.level.Axiom;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Short paths, turned into the steps of an argument. */
final class Paths {
  private final OrderSearch search;
  private final Causality causality;
  private final History history;

  /** A graph of labelled steps, and the forced edges its commit steps are marked with. */
  private final EdgeList graph;

  private final EdgeList forced;
  private final Level level;

  /** Causal order with cycles, where paths may use them; otherwise null. */
  private final CyclicPast cyclic;

  private final Digraph byFrom;

  Paths(OrderSearch search, EdgeList graph) {
    this(search, graph, new EdgeList(), Level.CAUSAL, null);
  }

  /** Paths that may also use edges that the axiom of a level forces. */
  Paths(OrderSearch search, EdgeList graph, EdgeList forced, Level level, CyclicPast cyclic) {
    this.search = search;
    this.level = level;
    this.cyclic = cyclic;
    this.causality = search.causality();
    this.history = causality.history();
    this.graph = graph;
    this.forced = forced;
    this.byFrom = Digraph.successors(causality.transactions(), graph);
  }

  /**
   * The argument for an instance: the path from t1 to t2, and why t2 must precede t1.
   *
   * @param components in which the path from t1 to t2 lies; null if it is causal order alone
   * @param c4 C4's letters for the instance
   */
  Evidence evidence(Patterns.Instance instance, Components components, String c4) {
    Edge back = commit(instance);
    List<Edge> edges = new ArrayList<>();
    if (instance.t1() == Edge.INITIAL) {
      edges.add(
          Edge.of(
              Edge.INITIAL,
              instance.t2(),
              EdgeKind.WW,
              instance.key(),
              -1,
              history.lastWrite(instance.t2(), instance.key())));
    } else if (components == null) {
      edges.addAll(causal(instance.t1(), instance.t2()));
    } else {
      edges.addAll(inGraph(instance.t1(), instance.t2(), components));
    }
    edges.add(back);
    int read = search.premises().lastRead(instance.t1(), instance.t3(), instance.key());
    return new Evidence(read < 0 ? List.of() : List.of(read), edges, level, c4);
  }

  /** A shortest cycle through a transaction of a component. */
  List<Edge> cycle(int txn, Components components) {
    return inGraph(txn, txn, components);
  }

  /** A shortest path of at least one step inside a component of the graph. */
  private List<Edge> inGraph(int from, int to, Components components) {
    Reached reached = new Reached();
    reached.add(from, -1);
    int last = -1;
    for (int place = 0; place < reached.size() && last < 0; place++) {
      int txn = (int) reached.node(place);
      for (int i = byFrom.first(txn); i < byFrom.end(txn) && last < 0; i++) {
        int edge = byFrom.edge(i);
        if (graph.to(edge) == to) {
          last = edge;
        } else if (components.same(graph.to(edge), from)) {
          reached.add(graph.to(edge), edge);
        }
      }
    }
    List<Edge> path = new ArrayList<>();
    for (int edge = last; edge >= 0; edge = reached.by(reached.place(graph.from(edge)))) {
      path.add(step(edge));
    }
    Collections.reverse(path);
    return merged(path);
  }

  private Edge step(int edge) {
    int from = graph.from(edge);
    int to = graph.to(edge);
    return switch (EdgeKind.of(graph.label(edge))) {
      case SO -> Edge.of(from, to, EdgeKind.SO, -1, -1, -1);
      case WR -> search.premises().read(from, to);
      case WW -> {
        int key = graph.mark(edge);
        yield Edge.of(
            from, to, EdgeKind.WW, key, replacedBy(from, to, key), history.lastWrite(to, key));
      }
      default -> {
        int cause = graph.mark(edge);
        yield commit(new Patterns.Instance(to, from, forced.label(cause), forced.mark(cause)));
      }
    };
  }

  /** The forced edge t2 → t1, because t3 had to see t2 and read from t1. */
  private Edge commit(Patterns.Instance instance) {
    int t2 = instance.t2();
    int t3 = instance.t3();
    List<Edge> because =
        new ArrayList<>(
            level.axiom() == Axiom.CAUSAL
                ? causal(t2, t3)
                : search.premises().steps(level.axiom(), instance.t1(), t2, t3, instance.key()));
    because.add(lastRead(instance.t1(), t3, instance.key()));
    int key = instance.key();
    int fromOp = history.lastWrite(instance.t2(), key);
    int toOp = instance.t1() == Edge.INITIAL ? -1 : history.lastWrite(instance.t1(), key);
    return new Edge(instance.t2(), instance.t1(), EdgeKind.CM, key, fromOp, toOp, because);
  }

  /**
   * The edge that a transaction read a key from another (or the initial version): its last such
   * read.
   */
  private Edge lastRead(int from, int to, int key) {
    int op = search.premises().lastRead(from, to, key);
    return Edge.of(from, to, EdgeKind.WR, key, Math.max(causality.sourceOp(op), -1), op);
  }

  /** The append that the next version of a list follows, or the last write of a register. */
  private int replacedBy(int from, int to, int key) {
    EdgeList versions = causality.versions();
    Digraph entering = causality.versionsByTo();
    for (int i = entering.first(to); i < entering.end(to); i++) {
      int edge = entering.edge(i);
      boolean same = versions.from(edge) == from && versions.label(edge) == key;
      if (same && history.kind(history.lastWrite(from, key)) == OpKind.APPEND) {
        return versions.mark(edge);
      }
    }
    return history.lastWrite(from, key);
  }

  /**
   * A path of causal order with as few steps as possible, one session counting as one step; null
   * when there is none. Searched backwards, a step through a session being free once taken.
   */
  List<Edge> causal(int from, int to) {
    Reached reached = new Reached();
    reached.add(state(to, false), -1);
    for (int place = 0; place < reached.size(); place++) {
      int at = isFree(reached, place) ? -1 : place;
      while (at >= 0) {
        int txn = transaction(reached.node(at));
        if (txn == from) {
          return path(reached, at);
        }
        int previous = search.sessions() ? causality.previous(txn) : Causality.NONE;
        boolean mayGoOn = previous != Causality.NONE && mayFollow(from, previous);
        int before = mayGoOn ? reached.add(state(previous, true), at) : -1;
        for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
          int source = causality.source(i);
          if (mayFollow(from, source)) {
            reached.add(state(source, false), at);
          }
        }
        at = before >= 0 && isFree(reached, before) ? before : -1;
      }
    }
    return null;
  }

  /**
   * Whether a path from a transaction may lead through another one. Without cycles nothing on the
   * way comes before its start in an order that respects causal order. With cycles no order does,
   * but their clocks say exactly what follows the start. Without such a bound the search would go
   * through the whole past of its end for every path that it has to find.
   */
  private boolean mayFollow(int from, int txn) {
    if (cyclic != null) {
      return txn == from || cyclic.precedes(from, txn);
    }
    CommitOrder order = search.firstGuess();
    return order.rank(txn) >= order.rank(from);
  }

  /** Whether it was reached by a step through a session, which is free. */
  private static boolean isFree(Reached reached, int place) {
    int by = reached.by(place);
    return by >= 0 && isInSession(reached.node(place)) && isInSession(reached.node(by));
  }

  private static long state(int txn, boolean inSession) {
    return ((long) txn << 1) | (inSession ? 1 : 0);
  }

  private static int transaction(long state) {
    return (int) (state >>> 1);
  }

  private static boolean isInSession(long state) {
    return (state & 1) == 1;
  }

  private List<Edge> path(Reached reached, int end) {
    List<Edge> path = new ArrayList<>();
    for (int place = end; reached.by(place) >= 0; place = reached.by(place)) {
      int from = transaction(reached.node(place));
      int to = transaction(reached.node(reached.by(place)));
      path.add(
          isInSession(reached.node(place))
              ? Edge.of(from, to, EdgeKind.SO, -1, -1, -1)
              : search.premises().read(from, to));
    }
    return merged(path);
  }

  /**
   * The nodes a search has reached, in order, with their predecessors. Takes room for these alone:
   * paths are short, and the graph has all transactions.
   */
  private static final class Reached {
    private final LongIndex nodes = new LongIndex();
    private int[] by = new int[64];

    int size() {
      return nodes.size();
    }

    /** Returns the place of the node, or −1 if it was reached before. */
    int add(long node, int reachedBy) {
      int known = nodes.size();
      int place = nodes.indexOf(node);
      if (place < known) {
        return -1;
      }
      if (place == by.length) {
        by = Arrays.copyOf(by, Math.multiplyExact(place, 2));
      }
      by[place] = reachedBy;
      return place;
    }

    /** The place of a node, or −1. */
    int place(long node) {
      return nodes.find(node);
    }

    long node(int place) {
      return nodes.get(place);
    }

    int by(int place) {
      return by[place];
    }
  }

  /** Session order is transitive: steps through one session in a row are one step. */
  private static List<Edge> merged(List<Edge> path) {
    List<Edge> result = new ArrayList<>();
    for (Edge edge : path) {
      Edge last = result.isEmpty() ? null : result.get(result.size() - 1);
      if (last != null && last.kind() == EdgeKind.SO && edge.kind() == EdgeKind.SO) {
        result.set(result.size() - 1, Edge.of(last.from(), edge.to(), EdgeKind.SO, -1, -1, -1));
      } else {
        result.add(edge);
      }
    }
    return result;
  }
}
