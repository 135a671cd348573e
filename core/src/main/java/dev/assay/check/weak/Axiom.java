package dev.assay.check.weak;

import dev.assay.level.Level;
import java.util.List;

/**
 * When a reader t3 of x was bound to see another writer t2 of x, level by level. Declared from
 * strong to weak where they are comparable.
 */
enum Axiom {
  /** t2 causally precedes t3. */
  CAUSAL(Level.CAUSAL, true),
  /** t2 is earlier in t3's session, or t3 reads from it. */
  READ_ATOMIC(Level.READ_ATOMIC, true),
  /** t3 reads from t2 before it reads x from t1. */
  READ_COMMITTED(Level.READ_COMMITTED, true),
  /** As read committed, with a commit order that need not respect sessions. */
  MONOTONIC_ATOMIC_VIEW(Level.MONOTONIC_ATOMIC_VIEW, false),
  /** One of the next three. */
  PRAM(Level.PRAM, true),
  /** t2 is earlier in t3's session. */
  READ_YOUR_WRITES(Level.READ_YOUR_WRITES, true),
  /** A transaction earlier in t3's session reads from t2. */
  MONOTONIC_READS(Level.MONOTONIC_READS, true),
  /** t3 reads from a transaction later in t2's session. */
  MONOTONIC_WRITES(Level.MONOTONIC_WRITES, true),
  /** t3 reads a write before which its session, or its own transaction, had read from t2. */
  WRITES_FOLLOW_READS(Level.WRITES_FOLLOW_READS, true);

  /** Weaker ones first where they are comparable. */
  static final List<Axiom> WEAKEST_FIRST =
      List.of(
          MONOTONIC_ATOMIC_VIEW,
          READ_COMMITTED,
          READ_YOUR_WRITES,
          READ_ATOMIC,
          MONOTONIC_READS,
          MONOTONIC_WRITES,
          WRITES_FOLLOW_READS,
          PRAM,
          CAUSAL);

  private final Level level;
  private final boolean sessions;

  Axiom(Level level, boolean sessions) {
    this.level = level;
    this.sessions = sessions;
  }

  Level level() {
    return level;
  }

  /** Whether the commit order contains session order. */
  boolean sessions() {
    return sessions;
  }

  /** Whether what this one binds a reader to see the other one does, too. */
  boolean isWithin(Axiom other) {
    return other.level.implies(level);
  }
}
