package dev.assay.check.adya;

/**
 * How dependencies order the beginnings and commits of transactions. A level given this way holds
 * exactly when no cycle of events exists.
 *
 * <p>Snapshot isolation: a transaction sees what committed before it began, and of two that write a
 * common key one commits before the other begins. So every dependency leads from a commit to a
 * beginning, except that what was not seen commits after the reader began. Then two adjacent rw are
 * no path, and nothing else is lost: the cycles are those without adjacent rw.
 *
 * <p>Prefix: writers of a common key may overlap, so ww leads from commit to commit.
 */
enum Events {
  SNAPSHOT,
  PREFIX;

  /** Whether an edge of a kind leaves the commit of its transaction rather than the beginning. */
  boolean leavesCommit(int kind) {
    return kind != AdyaGraph.RW;
  }

  /** Whether it enters the commit of its transaction. */
  boolean entersCommit(int kind) {
    return kind == AdyaGraph.RW || (this == PREFIX && kind == AdyaGraph.WW);
  }
}
