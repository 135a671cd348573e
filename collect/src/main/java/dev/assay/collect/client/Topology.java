package dev.assay.collect.client;

import java.util.Locale;

/**
 * The nodes of a store that Assay starts.
 *
 * @param replicas the number of replicas beside the primary
 * @param replication when a commit is acknowledged
 * @param nodes the number of nodes that are all alike
 * @param wired whether what connects clients and nodes can be cut and slowed down
 */
public record Topology(int replicas, Replication replication, int nodes, boolean wired) {
  /** One node. */
  public static final Topology SINGLE = new Topology(0, Replication.ASYNC, 1, false);

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
