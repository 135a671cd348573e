package dev.assay.check;

import dev.assay.level.EdgeKind;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One step of an argument: {@code from} must come before {@code to}.
 *
 * @param from a transaction, or {@link #INITIAL} for the one that wrote all initial versions
 * @param to a transaction
 * @param kind what makes it so
 * @param key the key it is about, or −1
 * @param fromOp the operation of {@code from} that shows it, or −1
 * @param toOp the operation of {@code to} that shows it, or −1
 * @param because the steps that force an inferred edge; empty for what was observed. Edges that
 *     rest on the same one share it: all in all there may be far more paths to a step than steps
 * @param premise what beside the history says so, as a clause: a certificate or an assumption;
 *     empty where the history itself does
 * @param byPredicate whether what was seen or missed was so by a predicate rather than as an item
 */
public record Edge(
    int from,
    int to,
    EdgeKind kind,
    int key,
    int fromOp,
    int toOp,
    List<Edge> because,
    String premise,
    boolean byPredicate) {
  /** The virtual transaction that wrote every initial version. */
  public static final int INITIAL = -1;

  public Edge {
    because = List.copyOf(because);
  }

  /** An edge on an item, or none. */
  public Edge(
      int from,
      int to,
      EdgeKind kind,
      int key,
      int fromOp,
      int toOp,
      List<Edge> because,
      String premise) {
    this(from, to, kind, key, fromOp, toOp, because, premise, false);
  }

  /** An edge that rests on the history alone. */
  public Edge(int from, int to, EdgeKind kind, int key, int fromOp, int toOp, List<Edge> because) {
    this(from, to, kind, key, fromOp, toOp, because, "");
  }

  /** The same with other reasons. */
  public Edge with(List<Edge> otherReasons, String otherPremise) {
    return new Edge(from, to, kind, key, fromOp, toOp, otherReasons, otherPremise, byPredicate);
  }

  /** An observed edge. */
  public static Edge of(int from, int to, EdgeKind kind, int key, int fromOp, int toOp) {
    return new Edge(from, to, kind, key, fromOp, toOp, List.of());
  }

  /** An observed edge by a predicate. */
  public static Edge byPredicate(int from, int to, EdgeKind kind, int key, int fromOp, int toOp) {
    return new Edge(from, to, kind, key, fromOp, toOp, List.of(), "", true);
  }

  /** Visits edges and all that they rest on, each once, edges before what they rest on. */
  public static void forEachReason(List<Edge> edges, Consumer<Edge> visitor) {
    visit(edges, visitor, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static void visit(List<Edge> edges, Consumer<Edge> visitor, Set<Edge> visited) {
    for (Edge edge : edges) {
      if (visited.add(edge)) {
        visitor.accept(edge);
        visit(edge.because(), visitor, visited);
      }
    }
  }
}
