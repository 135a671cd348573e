package dev.assay.level;

/** Which reads, wrong by themselves, a level forbids: "who forbids what" of levels.md. */
enum ForbiddenReads {
  NONE,
  /** Reads of one list, set or version order that contradict each other. */
  TRACES,
  /** Also reads of what no other transaction had committed. */
  COMMITTED,
  /** Also reads of a key after an own write that do not see the latest one. */
  OWN,
  /** Everything. */
  ALL,
  /** Only two reads of a key that differ. */
  REPEATED,
  /** What stays wrong where every operation is a transaction of its own. */
  OF_OPERATIONS;

  /** Whether a level with these forbids what the weakest level with others does. */
  boolean includes(ForbiddenReads other) {
    return this == other || (ordinal() <= ALL.ordinal() && ordinal() >= other.ordinal());
  }
}
