package dev.assay.check;

import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.List;

/**
 * One instance of an anomaly, small enough to verify by hand.
 *
 * @param operations the operations that show it, the offending read first; their transactions are
 *     the witness where there are no edges
 * @param edges the steps of the argument in order; they close a cycle where the anomaly is one
 * @param refutes the weakest level that this argument refutes, or null if it refutes every level
 *     that forbids its kind of anomaly
 * @param c4 C4's letters for this instance, as in {@code h, j}; null if they are those of its kind
 *     of anomaly
 * @param shownBy reads elsewhere that show the order of versions the edges rest on
 */
public record Evidence(
    List<Integer> operations, List<Edge> edges, Level refutes, String c4, List<Integer> shownBy) {
  public Evidence {
    operations = List.copyOf(operations);
    edges = List.copyOf(edges);
    shownBy = List.copyOf(shownBy);
  }

  public Evidence(List<Integer> operations, List<Edge> edges, Level refutes, String c4) {
    this(operations, edges, refutes, c4, List.of());
  }

  public Evidence(List<Integer> operations, List<Edge> edges) {
    this(operations, edges, null, null, List.of());
  }

  /** The same, with another weakest refuted level. */
  public Evidence refuting(Level weakest) {
    return new Evidence(operations, edges, weakest, c4, shownBy);
  }

  /** C4's letters, or null, for this instance of a kind of anomaly. */
  public String c4(AnomalyType type) {
    return c4 == null ? type.c4() : c4;
  }

  public static Evidence ofOperations(Integer... operations) {
    return new Evidence(List.of(operations), List.of());
  }

  public static Evidence ofEdges(List<Edge> edges) {
    return new Evidence(List.of(), edges);
  }
}
