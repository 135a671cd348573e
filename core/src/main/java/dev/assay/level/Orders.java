package dev.assay.level;

/** The orders besides dependencies that a level respects, or that a cycle needs. */
public enum Orders {
  NONE("", "", 0, 0),
  SESSIONS("-process", "session order", EdgeKind.SO.bit(), EdgeKind.SO.bit()),
  REAL_TIME(
      "-realtime",
      "real time",
      EdgeKind.SO.bit() | EdgeKind.RT.bit() | EdgeKind.TIMESTAMP.bit(),
      EdgeKind.RT.bit() | EdgeKind.TIMESTAMP.bit());

  private final String suffix;
  private final String title;
  private final int kinds;
  private final int own;

  Orders(String suffix, String title, int kinds, int own) {
    this.suffix = suffix;
    this.title = title;
    this.kinds = kinds;
    this.own = own;
  }

  /** The suffix of the ids of cycles that need it. */
  public String suffix() {
    return suffix;
  }

  /** The order in words. */
  public String title() {
    return title;
  }

  /** The set of kinds of edges that it allows besides dependencies. */
  public int kinds() {
    return kinds;
  }

  /** Those that the weaker orders do not allow: a cycle that needs this order has one of them. */
  public int own() {
    return own;
  }

  /** Whether it contains another one. */
  public boolean includes(Orders other) {
    return ordinal() >= other.ordinal();
  }

  public boolean includeSessions() {
    return includes(SESSIONS);
  }

  /** The weakest that allows every kind of a set. */
  static Orders neededBy(int kinds) {
    Orders needed = NONE;
    for (Orders orders : values()) {
      needed = (kinds & orders.own) != 0 ? orders : needed;
    }
    return needed;
  }
}
