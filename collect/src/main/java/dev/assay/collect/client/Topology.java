package dev.assay.collect.client;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The nodes of a store that Assay starts.
 *
 * @param replicas the number of replicas beside the primary
 * @param replication when a commit is acknowledged
 * @param nodes the number of nodes that are all alike
 * @param faults what will be done to them, which some have to be prepared for
 */
public record Topology(int replicas, Replication replication, int nodes, Set<FaultKind> faults) {
  /** One node. */
  public static final Topology SINGLE = new Topology(0, Replication.ASYNC, 1, Set.of());

  private static final Set<FaultKind> OF_WIRES =
      EnumSet.of(FaultKind.PARTITION, FaultKind.SLOW, FaultKind.LOSSY);

  /** Whether what connects clients with nodes can be cut and slowed down. */
  public boolean wired() {
    return faults.stream().anyMatch(OF_WIRES::contains);
  }

  /** Whether the nodes have clocks that can be set. */
  public boolean skewed() {
    return faults.contains(FaultKind.SKEW);
  }

  /** When a primary acknowledges a commit. */
  public enum Replication {
    /** At once. */
    ASYNC,
    /** When a replica has it. */
    SYNC,
    /** When a replica shows it to readers. */
    APPLY;

    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
