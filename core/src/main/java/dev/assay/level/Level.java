package dev.assay.level;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An isolation level. Declared from strong to weak; {@link #implies} is the lattice. Names without
 * {@code strong-} carry no session order except where the definition says so.
 */
public enum Level {
  STRICT_SERIALIZABLE(
      "strict-serializable",
      "some serial order explains every read and respects sessions and real time",
      "strong-serializable",
      "PL-SS"),
  STRONG_SESSION_SERIALIZABLE(
      "strong-session-serializable", "some serial order explains every read and respects sessions"),
  SERIALIZABLE(
      "serializable",
      "some serial order explains every read (no dependency cycle)",
      "PL-3",
      "conflict-serializable",
      "ser"),
  STRONG_REPEATABLE_READ(
      "strong-repeatable-read",
      "no cycle of item dependencies, session order and real time",
      "strong-PL-2.99"),
  STRONG_SESSION_REPEATABLE_READ(
      "strong-session-repeatable-read",
      "no cycle of item dependencies and session order",
      "strong-session-PL-2.99"),
  REPEATABLE_READ(
      "repeatable-read",
      "no cycle of item dependencies; differs from serializable by phantoms only",
      "PL-2.99"),
  STRONG_SNAPSHOT_ISOLATION(
      "strong-snapshot-isolation",
      "snapshot isolation whose snapshots include all that ended before the transaction started",
      "strong-PL-SI"),
  STRONG_SESSION_SNAPSHOT_ISOLATION(
      "strong-session-snapshot-isolation",
      "snapshot isolation whose snapshots include the session's own past",
      "strong-session-PL-SI"),
  SNAPSHOT_ISOLATION(
      "snapshot-isolation",
      "each transaction reads one snapshot and concurrent ones write no common key:"
          + " no cycle without two adjacent anti-dependencies",
      "PL-SI",
      "si"),
  PARALLEL_SNAPSHOT_ISOLATION(
      "parallel-snapshot-isolation",
      "snapshots may fork, lost updates are excluded:"
          + " no cycle with session order and at most one anti-dependency",
      "psi",
      "strong-session-consistent-view",
      "strong-session-PL-2+"),
  STRONG_CONSISTENT_VIEW(
      "strong-consistent-view",
      "no cycle with session order, real time and at most one anti-dependency",
      "strong-PL-2+"),
  CONSISTENT_VIEW("consistent-view", "no cycle with at most one anti-dependency", "PL-2+"),
  PREFIX(
      "prefix",
      "each transaction reads a prefix of one commit order, its session's past included",
      "pc",
      "prefix-consistency"),
  UPDATE_ATOMIC(
      "update-atomic", "read atomic, and writers of a common key see each other's writes", "ua"),
  CAUSAL(
      "causal",
      "whatever happened before a transaction is visible to it, in one commit order",
      "tcc",
      "cc",
      "transactional-causal",
      "causal-cerone"),
  READ_ATOMIC(
      "read-atomic",
      "a transaction that sees part of another sees all of it; sessions see their own past",
      "ra"),
  CURSOR_STABILITY("cursor-stability", "Adya's read committed without lost updates"),
  READ_COMMITTED(
      "read-committed",
      "only committed final values are read, and reads never step back behind what the"
          + " transaction already saw, session order respected",
      "rc"),
  MONOTONIC_ATOMIC_VIEW(
      "monotonic-atomic-view", "the read-committed axiom without session order", "mav"),
  CUT_ISOLATION(
      "cut-isolation",
      "repeated reads of a key in one transaction see the same version",
      "ci",
      "item-cut"),
  PRAM(
      "pram",
      "read your writes, monotonic reads and monotonic writes under one commit order",
      "PRAM"),
  READ_YOUR_WRITES("read-your-writes", "a session sees its own earlier writes", "ryw"),
  MONOTONIC_READS("monotonic-reads", "a session never sees less than it saw before", "mr"),
  MONOTONIC_WRITES(
      "monotonic-writes", "whoever sees a write sees the writer session's earlier writes", "mw"),
  WRITES_FOLLOW_READS(
      "writes-follow-reads",
      "whoever sees a write sees what its session had read before, its transaction included",
      "wfr"),
  CAUSAL_NON_TRANSACTIONAL(
      "causal-non-transactional", "causal after making every operation a transaction of its own"),
  STRONG_ADYA_READ_COMMITTED(
      "strong-adya-read-committed",
      "no cycle of write and read dependencies, session order and real time",
      "strong-PL-2",
      "strong-read-committed"),
  STRONG_SESSION_ADYA_READ_COMMITTED(
      "strong-session-adya-read-committed",
      "no cycle of write and read dependencies and session order",
      "strong-session-PL-2",
      "strong-session-read-committed"),
  ADYA_READ_COMMITTED(
      "adya-read-committed",
      "only committed final values are read; no cycle of write and read dependencies",
      "PL-2"),
  STRONG_READ_UNCOMMITTED(
      "strong-read-uncommitted",
      "no cycle of write dependencies, session order and real time",
      "strong-PL-1"),
  STRONG_SESSION_READ_UNCOMMITTED(
      "strong-session-read-uncommitted",
      "no cycle of write dependencies and session order",
      "strong-session-PL-1"),
  READ_UNCOMMITTED("read-uncommitted", "writes of two transactions never interleave", "PL-1"),

  // Names of Elle that no checker of ours decides: accepted, answered unknown with the reason.
  FORWARD_CONSISTENT_VIEW("forward-consistent-view", "Adya's PL-FCV", "PL-FCV"),
  MONOTONIC_SNAPSHOT_READ("monotonic-snapshot-read", "Adya's PL-MSR", "PL-MSR"),
  MONOTONIC_VIEW("monotonic-view", "Adya's PL-2L", "PL-2L"),
  UPDATE_SERIALIZABLE("update-serializable", "Adya's PL-3U", "PL-3U");

  private final String id;
  private final String definition;
  private final List<String> aliases;

  Level(String id, String definition, String... aliases) {
    this.id = id;
    this.definition = definition;
    this.aliases = List.of(aliases);
  }

  /** The canonical name, as in reports. */
  public String id() {
    return id;
  }

  /** What it promises, in one clause. */
  public String definition() {
    return definition;
  }

  /** Other names it is accepted under. */
  public List<String> aliases() {
    return aliases;
  }

  @Override
  public String toString() {
    return id;
  }

  /** The level with this name or alias, letter case aside. */
  public static Optional<Level> find(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (Level level : values()) {
      if (level.id.equals(wanted)
          || level.aliases.stream().anyMatch(a -> a.equalsIgnoreCase(wanted))) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /** Whether it is about real time, so that nothing can be said of a history without times. */
  public boolean needsRealTime() {
    return this == STRICT_SERIALIZABLE
        || (id.startsWith("strong-") && !id.startsWith("strong-session-"));
  }

  /** What {@code --level all} surveys: every level that has a definition in levels.md. */
  public static List<Level> surveyed() {
    List<Level> levels = new ArrayList<>(List.of(values()));
    levels.removeAll(
        List.of(
            FORWARD_CONSISTENT_VIEW, MONOTONIC_SNAPSHOT_READ, MONOTONIC_VIEW, UPDATE_SERIALIZABLE));
    return Collections.unmodifiableList(levels);
  }

  // ---- the lattice

  /** The levels directly below: a history with this level has them too. */
  public Set<Level> directlyImplies() {
    return Collections.unmodifiableSet(Lattice.BELOW.get(this));
  }

  /** Whether every history that has this level has the other; true of a level and itself. */
  public boolean implies(Level other) {
    return Lattice.ALL_BELOW.get(this).contains(other);
  }

  /** This level and all that it implies. */
  public Set<Level> andWeaker() {
    return Lattice.ALL_BELOW.get(this).clone();
  }

  /** This level and all that imply it. */
  public Set<Level> andStronger() {
    return Lattice.ALL_ABOVE.get(this).clone();
  }

  /** Those of the levels that no other of them implies, strongest first. */
  public static List<Level> maximal(Collection<Level> levels) {
    return frontier(levels, false);
  }

  /** Those of the levels that imply no other of them. */
  public static List<Level> minimal(Collection<Level> levels) {
    return frontier(levels, true);
  }

  private static List<Level> frontier(Collection<Level> levels, boolean weakest) {
    List<Level> result = new ArrayList<>();
    for (Level level : values()) {
      boolean dominated =
          levels.stream()
              .anyMatch(l -> l != level && (weakest ? level.implies(l) : l.implies(level)));
      if (levels.contains(level) && !dominated) {
        result.add(level);
      }
    }
    return result;
  }

  /** The arrows of levels.md. */
  private static final class Lattice {
    static final Map<Level, Set<Level>> BELOW = new EnumMap<>(Level.class);
    static final Map<Level, EnumSet<Level>> ALL_BELOW = new EnumMap<>(Level.class);
    static final Map<Level, EnumSet<Level>> ALL_ABOVE = new EnumMap<>(Level.class);

    static {
      for (Level level : Level.values()) {
        BELOW.put(level, EnumSet.noneOf(Level.class));
        ALL_ABOVE.put(level, EnumSet.noneOf(Level.class));
      }
      arrows(STRICT_SERIALIZABLE, STRONG_SESSION_SERIALIZABLE, STRONG_SNAPSHOT_ISOLATION);
      arrows(STRICT_SERIALIZABLE, STRONG_REPEATABLE_READ);
      arrows(STRONG_SESSION_SERIALIZABLE, SERIALIZABLE, STRONG_SESSION_SNAPSHOT_ISOLATION);
      arrows(STRONG_SESSION_SERIALIZABLE, STRONG_SESSION_REPEATABLE_READ);
      arrows(SERIALIZABLE, REPEATABLE_READ, SNAPSHOT_ISOLATION);
      arrows(STRONG_REPEATABLE_READ, STRONG_SESSION_REPEATABLE_READ, STRONG_ADYA_READ_COMMITTED);
      arrows(STRONG_SESSION_REPEATABLE_READ, REPEATABLE_READ, STRONG_SESSION_ADYA_READ_COMMITTED);
      arrows(REPEATABLE_READ, CURSOR_STABILITY);
      arrows(STRONG_SNAPSHOT_ISOLATION, STRONG_SESSION_SNAPSHOT_ISOLATION, STRONG_CONSISTENT_VIEW);
      arrows(STRONG_SESSION_SNAPSHOT_ISOLATION, SNAPSHOT_ISOLATION, PREFIX);
      arrows(STRONG_SESSION_SNAPSHOT_ISOLATION, PARALLEL_SNAPSHOT_ISOLATION);
      arrows(SNAPSHOT_ISOLATION, CONSISTENT_VIEW);
      arrows(STRONG_CONSISTENT_VIEW, PARALLEL_SNAPSHOT_ISOLATION, STRONG_ADYA_READ_COMMITTED);
      arrows(PARALLEL_SNAPSHOT_ISOLATION, CAUSAL, UPDATE_ATOMIC, CONSISTENT_VIEW);
      arrows(PREFIX, CAUSAL);
      arrows(CAUSAL, READ_ATOMIC, PRAM, WRITES_FOLLOW_READS, CAUSAL_NON_TRANSACTIONAL);
      arrows(PRAM, READ_YOUR_WRITES, MONOTONIC_READS, MONOTONIC_WRITES);
      arrows(UPDATE_ATOMIC, READ_ATOMIC, CURSOR_STABILITY);
      arrows(READ_ATOMIC, READ_COMMITTED, CUT_ISOLATION, READ_YOUR_WRITES);
      arrows(READ_COMMITTED, MONOTONIC_ATOMIC_VIEW, STRONG_SESSION_ADYA_READ_COMMITTED);
      arrows(CONSISTENT_VIEW, CURSOR_STABILITY, MONOTONIC_ATOMIC_VIEW, CUT_ISOLATION);
      arrows(CURSOR_STABILITY, ADYA_READ_COMMITTED);
      arrows(MONOTONIC_ATOMIC_VIEW, ADYA_READ_COMMITTED);
      arrows(STRONG_ADYA_READ_COMMITTED, STRONG_SESSION_ADYA_READ_COMMITTED);
      arrows(STRONG_ADYA_READ_COMMITTED, STRONG_READ_UNCOMMITTED);
      arrows(STRONG_SESSION_ADYA_READ_COMMITTED, ADYA_READ_COMMITTED);
      arrows(STRONG_SESSION_ADYA_READ_COMMITTED, STRONG_SESSION_READ_UNCOMMITTED);
      arrows(ADYA_READ_COMMITTED, READ_UNCOMMITTED);
      arrows(STRONG_READ_UNCOMMITTED, STRONG_SESSION_READ_UNCOMMITTED);
      arrows(STRONG_SESSION_READ_UNCOMMITTED, READ_UNCOMMITTED);
      for (Level level : Level.values()) {
        EnumSet<Level> reached = EnumSet.noneOf(Level.class);
        collect(level, reached);
        ALL_BELOW.put(level, reached);
        reached.forEach(below -> ALL_ABOVE.get(below).add(level));
      }
    }

    private static void arrows(Level from, Level... to) {
      BELOW.get(from).addAll(List.of(to));
    }

    private static void collect(Level level, Set<Level> reached) {
      if (reached.add(level)) {
        BELOW.get(level).forEach(below -> collect(below, reached));
      }
    }
  }
}
