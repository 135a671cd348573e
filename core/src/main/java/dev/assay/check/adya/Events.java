package dev.assay.check.adya;

import dev.assay.level.ForbiddenCycles;

/**
 * How dependencies order the beginnings and commits of transactions. If a level forbids exactly the
 * cycles between these events, it holds iff there are none.
 *
 * <p>Snapshot isolation: a transaction sees what committed before it began, and of two that write a
 * common key one commits before the other begins. So every dependency leads from a commit to a
 * beginning, except that an rw leads from the reader's beginning to the writer's commit. Then two
 * adjacent rw edges do not form a path, but everything else does: the cycles are those without
 * adjacent rw.
 *
 * <p>Prefix: writers of a common key may overlap, so ww leads from commit to commit.
 */
enum Events {
  SNAPSHOT,
  PREFIX;

  /** The events for the cycles that a level forbids, or null if they are not of this form. */
  static Events of(ForbiddenCycles cycles) {
    return switch (cycles) {
      case NO_ADJACENT_RW -> SNAPSHOT;
      case NO_RW_AFTER_WW_OR_RW -> PREFIX;
      default -> null;
    };
  }

  /** Whether an edge of a kind leaves the commit of its transaction rather than the beginning. */
  boolean leavesCommit(int kind) {
    return kind != AdyaGraph.RW;
  }

  /** Whether it enters the commit of its transaction. */
  boolean entersCommit(int kind) {
    return kind == AdyaGraph.RW || (this == PREFIX && kind == AdyaGraph.WW);
  }
}
