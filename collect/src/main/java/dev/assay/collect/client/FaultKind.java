package dev.assay.collect.client;

import java.util.Locale;

/** A way to fail. */
public enum FaultKind {
  /** A node is killed without warning, and started again when the fault ends. */
  KILL,
  /** A node is stopped from running, without ending it. */
  PAUSE,
  /** A node is cut off from clients and from other nodes; connections stay open and silent. */
  PARTITION,
  /** A node of a cluster sends, but gets nothing from other nodes. */
  ONE_WAY,
  /** A node and the next one do not reach each other; all others do. */
  RING,
  /** Some nodes, half of them if chosen at random, do not reach the others; clients reach all. */
  HALVES,
  /** What a node sends and gets is late. */
  SLOW,
  /** Some of what a node sends and gets is lost, and sent again by TCP; connections may break. */
  LOSSY,
  /** The clock of a node is wrong; what measures durations stays right. */
  SKEW,
  /** The primary is killed for good, and a replica takes its place. */
  FAILOVER,
  /** What the commands of the user do. */
  COMMAND;

  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
