package dev.assay.level;

import static dev.assay.level.ForbiddenCycles.ALL;
import static dev.assay.level.ForbiddenCycles.ALL_OF_ITEMS;
import static dev.assay.level.ForbiddenCycles.AT_MOST_ONE_RW;
import static dev.assay.level.ForbiddenCycles.FLOW;
import static dev.assay.level.ForbiddenCycles.FLOW_AND_LOST_UPDATES;
import static dev.assay.level.ForbiddenCycles.NO_ADJACENT_RW;
import static dev.assay.level.ForbiddenCycles.NO_RW_AFTER_WW_OR_RW;
import static dev.assay.level.ForbiddenCycles.ONE_RW_AGAINST_ONE_EDGE;
import static dev.assay.level.ForbiddenCycles.WRITES;
import static dev.assay.level.Orders.NONE;
import static dev.assay.level.Orders.REAL_TIME;
import static dev.assay.level.Orders.SESSIONS;

import java.util.ArrayList;
import java.util.Arrays;
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
 * The isolation levels, from strong to weak: their names, the rule that defines them, and the rule
 * in words. The checker of a level, the names of its violations, the anomalies it forbids and its
 * place in the lattice follow from the rule.
 */
public enum Level {
  STRICT_SERIALIZABLE(
      "strict-serializable",
      Rule.cycles(ALL, REAL_TIME),
      "some serial order explains every read and respects sessions and real time",
      "strong-serializable",
      "PL-SS",
      "strict-1SR",
      "sser",
      "external-consistency"),
  STRONG_SESSION_SERIALIZABLE(
      "strong-session-serializable",
      Rule.cycles(ALL, SESSIONS),
      "some serial order explains every read and respects sessions",
      "session-serializable",
      "strong-session-1SR"),
  SERIALIZABLE(
      "serializable",
      Rule.cycles(ALL, NONE),
      "some serial order explains every read (no dependency cycle)",
      "PL-3",
      "conflict-serializable",
      "view-serializable",
      "1SR",
      "one-copy-serializable",
      "ser"),
  STRONG_REPEATABLE_READ(
      "strong-repeatable-read",
      Rule.cycles(ALL_OF_ITEMS, REAL_TIME),
      "no cycle of item dependencies, session order and real time",
      "strong-PL-2.99"),
  STRONG_SESSION_REPEATABLE_READ(
      "strong-session-repeatable-read",
      Rule.cycles(ALL_OF_ITEMS, SESSIONS),
      "no cycle of item dependencies and session order",
      "strong-session-PL-2.99"),
  REPEATABLE_READ(
      "repeatable-read",
      Rule.cycles(ALL_OF_ITEMS, NONE),
      "no cycle of item dependencies; differs from serializable by phantoms only",
      "PL-2.99"),
  STRONG_SNAPSHOT_ISOLATION(
      "strong-snapshot-isolation",
      Rule.cycles(NO_ADJACENT_RW, REAL_TIME),
      "snapshot isolation whose snapshots include everything that ended before the transaction"
          + " started",
      "strong-PL-SI"),
  STRONG_SESSION_SNAPSHOT_ISOLATION(
      "strong-session-snapshot-isolation",
      Rule.cycles(NO_ADJACENT_RW, SESSIONS),
      "snapshot isolation whose snapshots include the session's own past",
      "strong-session-PL-SI",
      "session-snapshot-isolation"),
  SNAPSHOT_ISOLATION(
      "snapshot-isolation",
      Rule.cycles(NO_ADJACENT_RW, NONE),
      "each transaction reads one snapshot and concurrent ones write no common key:"
          + " no cycle without two adjacent anti-dependencies",
      "PL-SI",
      "generalized-snapshot-isolation",
      "gsi",
      "si"),
  PARALLEL_SNAPSHOT_ISOLATION(
      "parallel-snapshot-isolation",
      Rule.cycles(AT_MOST_ONE_RW, SESSIONS),
      "snapshots may fork, lost updates are excluded:"
          + " no cycle with session order and at most one anti-dependency",
      "psi",
      "strong-session-consistent-view",
      "strong-session-PL-2+"),
  STRONG_CONSISTENT_VIEW(
      "strong-consistent-view",
      Rule.cycles(AT_MOST_ONE_RW, REAL_TIME),
      "no cycle with session order, real time and at most one anti-dependency",
      "strong-PL-2+"),
  CONSISTENT_VIEW(
      "consistent-view",
      Rule.cycles(AT_MOST_ONE_RW, NONE),
      "no cycle with at most one anti-dependency",
      "PL-2+"),
  PREFIX(
      "prefix",
      Rule.cycles(NO_RW_AFTER_WW_OR_RW, SESSIONS),
      "each transaction reads a prefix of one commit order, its session's past included",
      "pc",
      "prefix-consistency"),
  UPDATE_ATOMIC(
      "update-atomic",
      Rule.cycles(ONE_RW_AGAINST_ONE_EDGE, SESSIONS),
      "read atomic, and writers of a common key see each other's writes",
      "ua",
      "rola"),
  CAUSAL(
      "causal",
      Rule.axiom(Axiom.CAUSAL, SESSIONS),
      "whatever happened before a transaction is visible to it, in one commit order",
      "tcc",
      "cc",
      "transactional-causal",
      "causal-cerone"),
  READ_ATOMIC(
      "read-atomic",
      Rule.axiom(Axiom.READ_ATOMIC, SESSIONS),
      "a transaction that sees part of another sees all of it; sessions see their own past",
      "ra"),
  CURSOR_STABILITY(
      "cursor-stability",
      Rule.cycles(FLOW_AND_LOST_UPDATES, NONE),
      "Adya's read committed without lost updates"),
  READ_COMMITTED(
      "read-committed",
      Rule.axiom(Axiom.READ_COMMITTED, SESSIONS),
      "only committed final values are read, and reads never go back behind what the transaction"
          + " already saw; session order is respected",
      "rc"),
  MONOTONIC_ATOMIC_VIEW(
      "monotonic-atomic-view",
      Rule.axiom(Axiom.READ_COMMITTED, NONE),
      "the read-committed axiom without session order",
      "mav"),
  CUT_ISOLATION(
      "cut-isolation",
      Rule.reads(ForbiddenReads.REPEATED),
      "repeated reads of a key in one transaction see the same version",
      "ci",
      "item-cut"),
  PRAM(
      "pram",
      Rule.axiom(Axiom.PRAM, SESSIONS),
      "read your writes, monotonic reads and monotonic writes under one commit order",
      "PRAM"),
  READ_YOUR_WRITES(
      "read-your-writes",
      Rule.axiom(Axiom.READ_YOUR_WRITES, SESSIONS),
      "a session sees its own earlier writes",
      "ryw"),
  MONOTONIC_READS(
      "monotonic-reads",
      Rule.axiom(Axiom.MONOTONIC_READS, SESSIONS),
      "a session never sees less than it saw before",
      "mr"),
  MONOTONIC_WRITES(
      "monotonic-writes",
      Rule.axiom(Axiom.MONOTONIC_WRITES, SESSIONS),
      "a transaction that sees a write sees the writer session's earlier writes",
      "mw"),
  WRITES_FOLLOW_READS(
      "writes-follow-reads",
      Rule.axiom(Axiom.WRITES_FOLLOW_READS, SESSIONS),
      "a transaction that sees a write sees what the writer's session had read before it, in the"
          + " same transaction or an earlier one",
      "wfr"),
  CAUSAL_NON_TRANSACTIONAL(
      "causal-non-transactional",
      Rule.reads(ForbiddenReads.OF_OPERATIONS),
      "causal, with every operation treated as a separate transaction"),
  STRONG_ADYA_READ_COMMITTED(
      "strong-adya-read-committed",
      Rule.cycles(FLOW, REAL_TIME),
      "no cycle of write and read dependencies, session order and real time",
      "strong-PL-2",
      "strong-read-committed"),
  STRONG_SESSION_ADYA_READ_COMMITTED(
      "strong-session-adya-read-committed",
      Rule.cycles(FLOW, SESSIONS),
      "no cycle of write and read dependencies and session order",
      "strong-session-PL-2",
      "strong-session-read-committed"),
  ADYA_READ_COMMITTED(
      "adya-read-committed",
      Rule.cycles(FLOW, NONE),
      "only committed final values are read; no cycle of write and read dependencies",
      "PL-2"),
  STRONG_READ_UNCOMMITTED(
      "strong-read-uncommitted",
      Rule.cycles(WRITES, REAL_TIME),
      "no cycle of write dependencies, session order and real time",
      "strong-PL-1"),
  STRONG_SESSION_READ_UNCOMMITTED(
      "strong-session-read-uncommitted",
      Rule.cycles(WRITES, SESSIONS),
      "no cycle of write dependencies and session order",
      "strong-session-PL-1"),
  READ_UNCOMMITTED(
      "read-uncommitted",
      Rule.cycles(WRITES, NONE),
      "writes of two transactions never interleave",
      "PL-1"),

  // Decided where they are asked for.
  LINEARIZABLE(
      "linearizable",
      Rule.OF_KEYS,
      "each key by itself: what transactions did with it took effect one after another, each"
          + " between its start and its end"),
  SEQUENTIAL(
      "sequential",
      Rule.OF_OPERATIONS,
      "all single operations took effect one after another, in an order that respects sessions"),
  SERIALIZABLE_LINEARIZABLE_KEYS(
      "serializable-linearizable-keys",
      Rule.OF_COMMON_KEYS,
      "some serial order explains every read and respects sessions and real time among the"
          + " transactions that access any one key",
      "serializable-with-linearizable-keys"),
  MIXED(
      "mixed",
      Rule.OF_TRANSACTIONS,
      "one commit order gives each transaction the level that it ran at",
      "per-transaction"),

  // Elle's names for levels that Assay does not decide; the answer is unknown, with the reason.
  FORWARD_CONSISTENT_VIEW("forward-consistent-view", Rule.UNDECIDED, "Adya's PL-FCV", "PL-FCV"),
  MONOTONIC_SNAPSHOT_READ("monotonic-snapshot-read", Rule.UNDECIDED, "Adya's PL-MSR", "PL-MSR"),
  MONOTONIC_VIEW("monotonic-view", Rule.UNDECIDED, "Adya's PL-2L", "PL-2L"),
  UPDATE_SERIALIZABLE("update-serializable", Rule.UNDECIDED, "Adya's PL-3U", "PL-3U");

  /**
   * What defines a level.
   *
   * @param cycles the cycles it forbids; null if cycles do not define it
   * @param axiom when a reader must see a writer; null if no axiom defines it
   * @param orders the orders that its cycles may use, or that its commit order respects
   * @param reads the reads it forbids
   */
  record Rule(ForbiddenCycles cycles, Axiom axiom, Orders orders, ForbiddenReads reads) {
    static final Rule UNDECIDED = new Rule(null, null, NONE, ForbiddenReads.NONE);

    /** Strict serializability of what transactions do with each key. */
    static final Rule OF_KEYS = new Rule(null, null, REAL_TIME, ForbiddenReads.NONE);

    /** Strong session serializability of single operations. */
    static final Rule OF_OPERATIONS = new Rule(null, null, SESSIONS, ForbiddenReads.NONE);

    /** Serializability by an order that serves each key as {@link #OF_KEYS} demands. */
    static final Rule OF_COMMON_KEYS = new Rule(null, null, REAL_TIME, ForbiddenReads.NONE);

    /** Each transaction of a history has its rule. */
    static final Rule OF_TRANSACTIONS = new Rule(null, null, NONE, ForbiddenReads.NONE);

    static Rule cycles(ForbiddenCycles cycles, Orders orders) {
      return new Rule(cycles, null, orders, cycles.reads());
    }

    static Rule axiom(Axiom axiom, Orders orders) {
      return new Rule(null, axiom, orders, axiom.reads());
    }

    static Rule reads(ForbiddenReads reads) {
      return new Rule(null, null, NONE, reads);
    }

    Rule over(Orders others) {
      return new Rule(cycles, axiom, others, reads);
    }

    /** Whether one rule is a stronger form of another; always false between families. */
    boolean includes(Rule other) {
      boolean stronger =
          cycles != null && other.cycles != null && cycles.includes(other.cycles)
              || axiom != null && other.axiom != null && axiom.includes(other.axiom);
      return stronger && orders.includes(other.orders);
    }
  }

  private final String id;
  private final Rule rule;
  private final String definition;
  private final List<String> aliases;

  Level(String id, Rule rule, String definition, String... aliases) {
    this.id = id;
    this.rule = rule;
    this.definition = definition;
    this.aliases = List.of(aliases);
  }

  Rule rule() {
    return rule;
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

  /** The cycles it forbids; null if cycles do not define it. */
  public ForbiddenCycles cycles() {
    return rule.cycles;
  }

  /** When a reader must see a writer; null if no axiom defines it. */
  public Axiom axiom() {
    return rule.axiom;
  }

  /**
   * Whether it forbids all cycles of the mildest kind of which it forbids any, on items at least.
   */
  public boolean forbidsWholeKind() {
    return rule.cycles != null && rule.cycles.forbidsAll(rule.cycles.kind(), false);
  }

  /** The orders besides dependencies that it respects. */
  public Orders orders() {
    return rule.orders;
  }

  ForbiddenReads reads() {
    return rule.reads;
  }

  /** Whether it depends on real time, so that it cannot be decided for a history without times. */
  public boolean needsRealTime() {
    return rule.orders == REAL_TIME;
  }

  /** The level with this name or alias, ignoring case. */
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

  /** The level that forbids these cycles over these orders; none if there is no such level. */
  public static Optional<Level> find(ForbiddenCycles cycles, Orders orders) {
    for (Level level : values()) {
      if (level.rule.cycles == cycles && level.rule.orders == orders) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /** Levels that forbid some cycles, with those that forbid others over the same orders. */
  public static Map<Level, Level> sameOrders(ForbiddenCycles some, ForbiddenCycles others) {
    Map<Level, Level> levels = new EnumMap<>(Level.class);
    for (Orders orders : Orders.values()) {
      Optional<Level> from = find(some, orders);
      Optional<Level> to = find(others, orders);
      if (from.isPresent() && to.isPresent()) {
        levels.put(from.get(), to.get());
      }
    }
    return Collections.unmodifiableMap(levels);
  }

  /** The level that is this one over other orders; none if there is no such level. */
  public Optional<Level> over(Orders orders) {
    Rule wanted = rule.over(orders);
    for (Level level : values()) {
      if (level.rule.equals(wanted)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /** The levels that cycles define: milder cycles later, fewer orders first. */
  public static List<Level> definedByCycles() {
    return Lattice.BY_CYCLES;
  }

  /** The levels that axioms define, weaker ones first where they are comparable. */
  public static List<Level> definedByAxioms() {
    return Lattice.BY_AXIOMS;
  }

  /**
   * The level that the history must satisfy once its transactions are divided, by keys or into
   * operations; null where the level is about whole transactions.
   */
  public Level ofParts() {
    if (rule == Rule.OF_KEYS) {
      return STRICT_SERIALIZABLE;
    }
    return rule == Rule.OF_OPERATIONS ? STRONG_SESSION_SERIALIZABLE : null;
  }

  /** Whether a serial order that proves this level proves the other, also of single operations. */
  public boolean provesInOrder(Level other) {
    return implies(other) || other.ofParts() != null && implies(other.ofParts());
  }

  /** Whether it is decided only where it is asked for by name. */
  public boolean isDecidedByName() {
    return rule.reads == ForbiddenReads.NONE && rule != Rule.UNDECIDED;
  }

  /** What {@code --level all} surveys: every level of transactions that levels.md defines. */
  public static List<Level> surveyed() {
    return Arrays.stream(values())
        .filter(level -> level.rule.reads != ForbiddenReads.NONE)
        .toList();
  }

  // ---- the lattice

  /** The levels directly below, which this one implies. */
  public Set<Level> directlyImplies() {
    return Collections.unmodifiableSet(Lattice.BELOW.get(this));
  }

  /** Whether every history that satisfies this level satisfies the other; reflexive. */
  public boolean implies(Level other) {
    return Lattice.ALL_BELOW.get(this).contains(other);
  }

  /** This level and all that it implies, those decided by name only left out. */
  public Set<Level> andWeaker() {
    return withoutNamed(Lattice.ALL_BELOW.get(this));
  }

  /** This level and all that imply it, those decided by name only left out. */
  public Set<Level> andStronger() {
    return withoutNamed(Lattice.ALL_ABOVE.get(this));
  }

  private Set<Level> withoutNamed(EnumSet<Level> levels) {
    EnumSet<Level> copy = levels.clone();
    copy.removeIf(level -> level != this && level.isDecidedByName());
    return copy;
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
}
