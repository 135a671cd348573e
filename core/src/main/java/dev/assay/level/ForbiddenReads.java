package dev.assay.level;

/** The read anomalies that a level forbids; see "who forbids what" in levels.md. */
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
  /** The read anomalies that remain if every operation is a transaction. */
  OF_OPERATIONS;

  /** Whether a level with these forbids what the weakest level with others does. */
  boolean includes(ForbiddenReads other) {
    return this == other || (ordinal() <= ALL.ordinal() && ordinal() >= other.ordinal());
  }
}
