package dev.assay.level;

/**
 * Which cycles of dependencies, and of the orders that a level respects, the level forbids. Weaker
 * ones first; each forbids what those it is built on forbid.
 */
public enum ForbiddenCycles {
  /** Cycles of ww. */
  WRITES(CycleKind.G0, ForbiddenReads.TRACES),
  /** Cycles of ww and wr: what a transaction depends on does not depend on it. */
  FLOW(CycleKind.G1C, ForbiddenReads.COMMITTED, WRITES),
  /** These, and two transactions that read one version and both overwrite it. */
  FLOW_AND_LOST_UPDATES(CycleKind.G1C, ForbiddenReads.COMMITTED, FLOW),
  /** These, and one rw against one edge of another kind. */
  ONE_RW_AGAINST_ONE_EDGE(CycleKind.SINGLE, ForbiddenReads.ALL, FLOW_AND_LOST_UPDATES),
  /** Cycles with at most one rw. */
  AT_MOST_ONE_RW(CycleKind.SINGLE, ForbiddenReads.ALL, ONE_RW_AGAINST_ONE_EDGE),
  /** Cycles in which no rw follows a ww or an rw. */
  NO_RW_AFTER_WW_OR_RW(CycleKind.NONADJACENT, ForbiddenReads.ALL, FLOW),
  /** Cycles in which no rw follows an rw. */
  NO_ADJACENT_RW(CycleKind.NONADJACENT, ForbiddenReads.ALL, AT_MOST_ONE_RW, NO_RW_AFTER_WW_OR_RW),
  /** Cycles without rw by predicates. */
  ALL_OF_ITEMS(CycleKind.G2, ForbiddenReads.ALL, FLOW_AND_LOST_UPDATES),
  /** Every cycle. */
  ALL(CycleKind.G2, ForbiddenReads.ALL, NO_ADJACENT_RW, ALL_OF_ITEMS);

  private final CycleKind kind;
  private final ForbiddenReads reads;

  /** The set of those that it includes, by ordinal. */
  private final int included;

  ForbiddenCycles(CycleKind kind, ForbiddenReads reads, ForbiddenCycles... weaker) {
    this.kind = kind;
    this.reads = reads;
    int all = 1 << ordinal();
    for (ForbiddenCycles below : weaker) {
      all |= below.included;
    }
    this.included = all;
  }

  /** The mildest kind of cycle it forbids: all of that kind, or some. */
  public CycleKind kind() {
    return kind;
  }

  /** The reads that a level which forbids these cycles forbids. */
  ForbiddenReads reads() {
    return reads;
  }

  /** Whether it forbids all cycles that the other one does. */
  public boolean includes(ForbiddenCycles other) {
    return (included >> other.ordinal() & 1) != 0;
  }

  /** Whether it forbids all cycles of a kind. */
  boolean forbidsAll(CycleKind other, boolean byPredicate) {
    return switch (other) {
      case G0 -> true;
      case G1C -> includes(FLOW);
      case SINGLE -> includes(AT_MOST_ONE_RW) || (this == ALL_OF_ITEMS && !byPredicate);
      case NONADJACENT -> includes(NO_ADJACENT_RW) || (this == ALL_OF_ITEMS && !byPredicate);
      case G2 -> this == ALL || (this == ALL_OF_ITEMS && !byPredicate);
    };
  }

  /** Whether it forbids a cycle. */
  boolean forbids(Cycle cycle) {
    return switch (this) {
      case ONE_RW_AGAINST_ONE_EDGE ->
          forbidsAll(cycle.kind(), cycle.byPredicate())
              || (cycle.kind() == CycleKind.SINGLE && cycle.length() == 2);
      case NO_RW_AFTER_WW_OR_RW ->
          !cycle.follows(EdgeKind.RW, EdgeKind.WW) && !cycle.follows(EdgeKind.RW, EdgeKind.RW);
      default -> forbidsAll(cycle.kind(), cycle.byPredicate());
    };
  }
}
