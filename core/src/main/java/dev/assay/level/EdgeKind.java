package dev.assay.level;

import java.util.Locale;

/** Why one transaction comes before another, in every graph of a history. */
public enum EdgeKind {
  /** Session order. */
  SO,
  /** Real time: one ended before the other began. */
  RT,
  /** The database's own timestamps. */
  TIMESTAMP,
  /** Read dependency: a write was read. */
  WR,
  /** Write dependency: a version follows another. */
  WW,
  /** Anti-dependency: a version was read that the other transaction overwrote. */
  RW,
  /** A level's axiom puts one commit before the other. */
  CM;

  private static final EdgeKind[] VALUES = values();

  /** The name in reports. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind as one bit of a set of kinds. */
  public int bit() {
    return 1 << ordinal();
  }

  /** Whether a set of kinds contains this one. */
  public boolean isIn(int kinds) {
    return (kinds & bit()) != 0;
  }

  /** The kind with this {@link #ordinal}. */
  public static EdgeKind of(int ordinal) {
    return VALUES[ordinal];
  }
}
