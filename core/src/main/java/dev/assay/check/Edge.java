package dev.assay.check;

import dev.assay.level.Cycle;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

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
 *     rest on the same step share it, so there may be far more paths to a step than steps
 * @param premise what this rests on besides the history, as a clause: a certificate or an
 *     assumption; empty if the history alone shows it
 * @param byPredicate whether the version was seen or missed by a predicate rather than read as an
 *     item
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

  /** Edges are equal if their components are; what they share is compared once. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Edge edge && isSame(this, edge, new IdentityHashMap<>());
  }

  /** Ignores the steps it rests on: a step shared by many edges would be hashed once for each. */
  @Override
  public int hashCode() {
    return Objects.hash(from, to, kind, key, fromOp, toOp, because.size(), premise, byPredicate);
  }

  /** Leaves out the steps it rests on, for the same reason. */
  @Override
  public String toString() {
    return "%s %d -> %d, key %d, operations %d and %d, %d reasons %s"
        .formatted(kind, from, to, key, fromOp, toOp, because.size(), premise);
  }

  /**
   * Whether two edges are equal.
   *
   * @param compared for each edge those found, or being found, equal to it
   */
  private static boolean isSame(Edge one, Edge other, Map<Edge, Set<Edge>> compared) {
    if (one == other) {
      return true;
    }
    boolean same =
        one.from == other.from
            && one.to == other.to
            && one.kind == other.kind
            && one.key == other.key
            && one.fromOp == other.fromOp
            && one.toOp == other.toOp
            && one.byPredicate == other.byPredicate
            && one.premise.equals(other.premise)
            && one.because.size() == other.because.size();
    if (!same || !compared.computeIfAbsent(one, edge -> identitySet()).add(other)) {
      return same;
    }
    for (int i = 0; i < one.because.size(); i++) {
      if (!isSame(one.because.get(i), other.because.get(i), compared)) {
        return false;
      }
    }
    return true;
  }

  private static Set<Edge> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** Whether an edge, or any step it rests on, satisfies the predicate. */
  public static boolean anyReason(List<Edge> edges, Predicate<Edge> such) {
    return anyReason(edges, such, identitySet());
  }

  private static boolean anyReason(List<Edge> edges, Predicate<Edge> such, Set<Edge> visited) {
    for (Edge edge : edges) {
      if (visited.add(edge) && (such.test(edge) || anyReason(edge.because, such, visited))) {
        return true;
      }
    }
    return false;
  }

  /** Visits edges and all the steps they rest on, each once and edges first. */
  public static void forEachReason(List<Edge> edges, Consumer<Edge> visitor) {
    anyReason(
        edges,
        edge -> {
          visitor.accept(edge);
          return false;
        });
  }

  /**
   * All cycles of an argument: the one it ends with, and those that the opposite of each inferred
   * step would close.
   */
  public static List<Cycle> cycles(List<Edge> argument) {
    List<Cycle> cycles = new ArrayList<>(List.of(cycle(argument)));
    forEachReason(argument, step -> cycles.add(cycle(step.because())));
    return cycles;
  }

  private static Cycle cycle(List<Edge> steps) {
    return new Cycle(steps.stream().map(Edge::kind).toList(), false);
  }
}
