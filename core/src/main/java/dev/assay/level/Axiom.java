package dev.assay.level;

/**
 * When a reader t3 of x must see another writer t2 of x, so that t2 commits before the writer that
 * t3 read from. Weaker ones first where they are comparable.
 */
public enum Axiom {
  /** t3 reads from t2 before it reads x. */
  READ_COMMITTED(ForbiddenReads.OWN),
  /** t2 is earlier in t3's session. */
  READ_YOUR_WRITES(ForbiddenReads.OWN),
  /** t2 is earlier in t3's session, or t3 reads from it. */
  READ_ATOMIC(ForbiddenReads.ALL, READ_COMMITTED, READ_YOUR_WRITES),
  /** A transaction earlier in t3's session reads from t2. */
  MONOTONIC_READS(ForbiddenReads.OWN),
  /** t3 reads from a transaction later in t2's session. */
  MONOTONIC_WRITES(ForbiddenReads.OWN),
  /** t3 reads a write before which its session, or its own transaction, had read from t2. */
  WRITES_FOLLOW_READS(ForbiddenReads.OWN),
  /** As read your writes, monotonic reads or monotonic writes, with one commit order. */
  PRAM(ForbiddenReads.OWN, READ_YOUR_WRITES, MONOTONIC_READS, MONOTONIC_WRITES),
  /** t2 causally precedes t3. */
  CAUSAL(ForbiddenReads.ALL, READ_ATOMIC, WRITES_FOLLOW_READS, PRAM);

  private final ForbiddenReads reads;

  /** The set of those that it includes, by ordinal. */
  private final int included;

  Axiom(ForbiddenReads reads, Axiom... weaker) {
    this.reads = reads;
    int all = 1 << ordinal();
    for (Axiom below : weaker) {
      all |= below.included;
    }
    this.included = all;
  }

  /** The reads that a level with this axiom forbids. */
  ForbiddenReads reads() {
    return reads;
  }

  /** Whether it applies wherever the other one does. */
  public boolean includes(Axiom other) {
    return (included >> other.ordinal() & 1) != 0;
  }
}
