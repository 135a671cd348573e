package dev.assay.check;

import dev.assay.history.OpKind;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says in arguments what they rest on beside the history: each order of versions that no read shows
 * gets the certificate or the assumption that it comes from.
 */
public final class Premises {
  private final ReadsFrom reads;
  private final VersionOrders versions;
  private final Map<Edge, Edge> told = new IdentityHashMap<>();

  public Premises(ReadsFrom reads, VersionOrders versions) {
    this.reads = reads;
    this.versions = versions;
  }

  /** The same anomaly, with the premises of its arguments. */
  public Anomaly tell(Anomaly anomaly) {
    List<Evidence> witnesses = new ArrayList<>();
    for (Evidence evidence : anomaly.witnesses()) {
      witnesses.add(
          new Evidence(
              evidence.operations(),
              tell(evidence.edges()),
              evidence.refutes(),
              evidence.c4(),
              evidence.shownBy()));
    }
    return new Anomaly(
        anomaly.type(),
        anomaly.violates(),
        anomaly.count(),
        anomaly.countIsLowerBound(),
        witnesses);
  }

  private List<Edge> tell(List<Edge> edges) {
    List<Edge> result = new ArrayList<>();
    for (Edge edge : edges) {
      Edge same = told.get(edge);
      if (same == null) {
        same = edge.with(tell(edge.because()), premise(edge));
        told.put(edge, same);
      }
      result.add(same);
    }
    return result;
  }

  private String premise(Edge edge) {
    boolean argued = !edge.premise().isEmpty() || !edge.because().isEmpty();
    if (argued || edge.from() == Edge.INITIAL || edge.key() < 0) {
      return edge.premise();
    }
    if (edge.kind() == EdgeKind.WW) {
      return versions.premise(edge.from(), edge.to(), edge.key());
    }
    boolean misses = edge.kind() == EdgeKind.RW && edge.fromOp() >= 0;
    if (misses && reads.history().kind(edge.fromOp()) == OpKind.LIST_READ) {
      int source = reads.versionSource(edge.fromOp());
      return source < 0
          ? ""
          : versions.premise(reads.history().transactionOf(source), edge.to(), edge.key());
    }
    return "";
  }
}
