package dev.assay.graph;

import java.util.Arrays;

/**
 * The spans of an order of nodes covered by its back edges, overlapping ones merged. Every cycle
 * has a back edge and stays within the span of that edge, so an edge that is not inside one span is
 * not on a cycle. This holds for any order; the fewer back edges it has, the more it rules out.
 */
public final class BackEdgeSpans {
  private static final int NONE = -1;

  /** For each node its place in the order. */
  private final int[] place;

  /** For each place the last place from which an edge leads back to it. */
  private final int[] reach;

  /** For each place the first place of its span, or −1; null while edges are being added. */
  private int[] span;

  /** For each first place of a span its last. */
  private int[] last;

  private boolean empty = true;

  /**
   * Starts without spans.
   *
   * @param order all nodes, each once
   */
  public BackEdgeSpans(int[] order) {
    place = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    reach = new int[order.length];
    Arrays.fill(reach, NONE);
  }

  /** Adds an edge. */
  public void add(int from, int to) {
    addFrom(place[from], to);
  }

  private void addFrom(int fromPlace, int to) {
    if (fromPlace >= place[to]) {
      reach[place[to]] = Math.max(reach[place[to]], fromPlace);
      span = null;
      empty = false;
    }
  }

  /**
   * Adds edges between nodes and hubs: an edge that leaves a hub continues each edge that enters
   * it.
   *
   * @param all the number of nodes and hubs; hubs are numbered after nodes
   */
  public void addAll(int all, EdgeList edges) {
    int[] latest = latest(all, edges);
    for (int e = 0; e < edges.size(); e++) {
      if (edges.to(e) < place.length) {
        addFrom(latestAt(edges.from(e), latest), edges.to(e));
      }
    }
  }

  private int latestAt(int node, int[] latest) {
    return node < place.length ? place[node] : latest[node - place.length];
  }

  /** For each hub the last place of a node that leads to it. */
  private int[] latest(int all, EdgeList edges) {
    int[] latest = new int[all - place.length];
    Arrays.fill(latest, NONE);
    int[] entering = new int[16];
    int count = 0;
    for (int e = 0; e < edges.size(); e++) {
      if (edges.to(e) >= place.length) {
        entering = count == entering.length ? Arrays.copyOf(entering, count * 2) : entering;
        entering[count++] = e;
      }
    }
    // Hubs are chained in both directions, so alternating sweeps soon reach a fixed point.
    boolean changed = count > 0;
    for (boolean forward = true; changed; forward = !forward) {
      changed = false;
      for (int i = 0; i < count; i++) {
        int e = entering[forward ? i : count - 1 - i];
        int at = latestAt(edges.from(e), latest);
        int other = edges.to(e) - place.length;
        if (at > latest[other]) {
          latest[other] = at;
          changed = true;
        }
      }
    }
    return latest;
  }

  /** The place of a node in the order. */
  public int place(int node) {
    return place[node];
  }

  /** The first place of the span of a node; one past all places where it is in none. */
  public int start(int node) {
    int first = spans()[place[node]];
    return first == NONE ? place.length : first;
  }

  /** The last place of the span of a node; −1 if it is in none. */
  public int end(int node) {
    int first = spans()[place[node]];
    return first == NONE ? NONE : last[first];
  }

  /** Whether no edge points backwards. */
  public boolean isEmpty() {
    return empty;
  }

  /** Whether two nodes are in one span. */
  public boolean together(int a, int b) {
    int first = spans()[place[a]];
    return first != NONE && first == span[place[b]];
  }

  private int[] spans() {
    if (span == null) {
      connect();
    }
    return span;
  }

  private void connect() {
    span = new int[reach.length];
    last = new int[reach.length];
    int start = NONE;
    int end = NONE;
    for (int i = 0; i < reach.length; i++) {
      if (i > end) {
        start = reach[i] == NONE ? NONE : i;
      }
      end = Math.max(end, reach[i]);
      span[i] = start;
      if (start != NONE) {
        last[start] = end;
      }
    }
  }
}
