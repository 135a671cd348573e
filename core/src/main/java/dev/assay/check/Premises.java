package dev.assay.check;

import dev.assay.history.OpKind;
import dev.assay.infer.VersionOrders;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.ReadsFrom;

/**
 * Adds to arguments what they rest on besides the history: each version order that no read shows is
 * annotated with the certificate or assumption it comes from.
 */
public final class Premises {
  private final ReadsFrom reads;
  private final VersionOrders versions;
  private final ArgumentMapper arguments =
      ArgumentMapper.ofSteps((edge, because) -> edge.with(because, premise(edge)));

  public Premises(ReadsFrom reads, VersionOrders versions) {
    this.reads = reads;
    this.versions = versions;
  }

  /** The same anomaly, its arguments annotated with their premises. */
  public Anomaly annotate(Anomaly anomaly) {
    return arguments.anomaly(anomaly);
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
