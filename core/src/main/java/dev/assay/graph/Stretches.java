package dev.assay.graph;

import java.util.Arrays;

/**
 * The stretches of an order that edges pointing backwards span. Every circle needs such an edge and
 * stays inside the stretch of connected ones, so an edge that leaves a stretch, or is in none, is
 * on no circle. This holds for any order; the fewer edges point backwards, the more it rules out.
 */
public final class Stretches {
  private static final int NONE = -1;

  /** For each node its place in the order. */
  private final int[] place;

  /** For each place the last place of an edge that leads back to it. */
  private final int[] reach;

  /** For each place the first place of its stretch, or −1; null while edges are being added. */
  private int[] stretch;

  /** For each first place of a stretch its last. */
  private int[] last;

  private boolean empty = true;

  /**
   * No stretches yet.
   *
   * @param order all nodes, each once
   */
  public Stretches(int[] order) {
    place = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    reach = new int[order.length];
    Arrays.fill(reach, NONE);
  }

  /** Takes note of an edge. */
  public void add(int from, int to) {
    addFrom(place[from], to);
  }

  private void addFrom(int fromPlace, int to) {
    if (fromPlace >= place[to]) {
      reach[place[to]] = Math.max(reach[place[to]], fromPlace);
      stretch = null;
      empty = false;
    }
  }

  /**
   * Takes note of edges between nodes, and others through which edges lead on: an edge that leaves
   * one of these continues each that enters it.
   *
   * @param all the number of nodes and these others, which are numbered after them
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

  /** For each of the others the last place of a node that leads to it. */
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
    // They are chained in either direction, so going to and fro ends soon.
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

  /** The first place of the stretch of a node; one past all places where it is in none. */
  public int start(int node) {
    int first = stretches()[place[node]];
    return first == NONE ? place.length : first;
  }

  /** The last place of the stretch of a node; −1 where it is in none. */
  public int end(int node) {
    int first = stretches()[place[node]];
    return first == NONE ? NONE : last[first];
  }

  /** Whether no edge points backwards. */
  public boolean isEmpty() {
    return empty;
  }

  /** Whether two nodes are in one stretch. */
  public boolean together(int a, int b) {
    int first = stretches()[place[a]];
    return first != NONE && first == stretch[place[b]];
  }

  private int[] stretches() {
    if (stretch == null) {
      connect();
    }
    return stretch;
  }

  private void connect() {
    stretch = new int[reach.length];
    last = new int[reach.length];
    int start = NONE;
    int end = NONE;
    for (int i = 0; i < reach.length; i++) {
      if (i > end) {
        start = reach[i] == NONE ? NONE : i;
      }
      end = Math.max(end, reach[i]);
      stretch[i] = start;
      if (start != NONE) {
        last[start] = end;
      }
    }
  }
}
