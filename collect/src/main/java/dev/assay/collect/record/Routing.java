package dev.assay.collect.record;

/** Which transactions of a session run on which node of a store. Replicas are only read. */
public enum Routing {
  /** A session stays on its node. */
  STAY,
  /** Each transaction runs on a node that is chosen at random. */
  WANDER,
  /** Transactions that only read run on a replica, all others on a node that takes writes. */
  SPLIT
}
