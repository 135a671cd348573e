package dev.assay.level;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A type of anomaly, with its names elsewhere (Plume's and C4's letters, Elle's name) and what
 * forbids it: a rule about reads, an axiom, or the cycles that a level forbids. Every level that
 * implies one that forbids it forbids it too.
 */
public enum AnomalyType {
  // Read consistency: visible in one read.
  THIN_AIR_READ(
      "thin-air-read",
      "thin-air read",
      names("a", "a", "garbage read"),
      "the value read was never written",
      ForbiddenReads.COMMITTED,
      ForbiddenReads.OF_OPERATIONS),
  ABORTED_READ(
      "aborted-read",
      "aborted read",
      names("b", "b", "G1a"),
      "the value read was written by an aborted transaction",
      ForbiddenReads.COMMITTED,
      ForbiddenReads.OF_OPERATIONS),
  FUTURE_READ(
      "future-read",
      "future read",
      names("c", "c", "future-read"),
      "a transaction read a value that it writes only later",
      ForbiddenReads.COMMITTED,
      ForbiddenReads.OF_OPERATIONS),
  NOT_MY_OWN_WRITE(
      "not-my-own-write",
      "not my own write",
      names("d", "d", "internal"),
      "a transaction wrote a key, then read it from another transaction",
      ForbiddenReads.OWN),
  NOT_MY_LAST_WRITE(
      "not-my-last-write",
      "not my last write",
      names("e", null, "internal"),
      "a transaction read its own write of a key, but not the latest one before the read",
      ForbiddenReads.OWN,
      ForbiddenReads.OF_OPERATIONS),
  INTERMEDIATE_READ(
      "intermediate-read",
      "intermediate read",
      names("f", "e", "G1b"),
      "a transaction read another's write of a key that was not its last write of the key",
      ForbiddenReads.COMMITTED),
  NON_REPEATABLE_READ(
      "non-repeatable-read",
      "non-repeatable read",
      names("j", "f", "internal"),
      "two reads of a key in one transaction, without a write of it in between, saw different"
          + " versions",
      ForbiddenReads.ALL,
      ForbiddenReads.REPEATED),
  DIRTY_UPDATE(
      "dirty-update",
      "dirty update",
      names(null, null, "dirty-update"),
      "a committed version was built on an aborted one",
      ForbiddenReads.COMMITTED,
      ForbiddenReads.OF_OPERATIONS),
  DUPLICATE_WRITE(
      "duplicate-write",
      "duplicate write",
      names(null, null, "duplicate-elements"),
      "one write was applied twice",
      ForbiddenReads.TRACES,
      ForbiddenReads.OF_OPERATIONS),
  INCOMPATIBLE_ORDER(
      "incompatible-order",
      "incompatible order",
      names(null, null, "incompatible-order"),
      "two reads of one list disagree on the order of its elements, or a read and the transaction"
          + " that appended them",
      ForbiddenReads.TRACES,
      ForbiddenReads.OF_OPERATIONS),
  LOST_WRITE(
      "lost-write",
      "lost write",
      names(null, null, null),
      "an acknowledged write is missing from a final read although nothing overwrote it",
      ForbiddenReads.ALL),
  NON_LINEARIZABLE(
      "non-linearizable",
      "operations without an order",
      names(null, null, null),
      "no order of what transactions did with one key explains what they read and respects real"
          + " time and sessions",
      level -> level == Level.LINEARIZABLE),
  CERTIFICATE_CONTRADICTION(
      "certificate-contradiction",
      "certificate contradiction",
      names(null, null, null),
      "a given version or serialization order contradicts what was read",
      ForbiddenReads.ALL),
  RESULT_SET_MISMATCH(
      "result-set-mismatch",
      "result set mismatch",
      names(null, null, null),
      "a predicate's result differs from its evaluation over its version set",
      ForbiddenReads.ALL),

  // Patterns over causal order (CO) and commit order (CM).
  CYCLIC_CAUSALITY(
      "cyclic-causality",
      "cyclic causality",
      names("g", "g", "G1c-process"),
      "transactions precede each other in a cycle of session order and reads",
      level -> level.axiom() != null && level.orders().includeSessions()),
  NON_MONOTONIC_READ_CO(
      "non-monotonic-read-co",
      "non-monotonic read",
      names("h", "h", null),
      "a transaction read from t2, then a version of another key that t2 had overwritten:"
          + " its writer causally precedes t2",
      Axiom.READ_COMMITTED),
  NON_MONOTONIC_READ_CM(
      "non-monotonic-read-cm",
      "non-monotonic read by commit order",
      names("i", "i", null),
      "a transaction read from t2, then a version whose writer must commit before t2; read"
          + " committed forbids it where its own commit order says so",
      Axiom.READ_ATOMIC),
  FRACTURED_READ_CO(
      "fractured-read-co",
      "fractured read",
      names("k", "h, k", null),
      "a transaction saw part of t2 (or follows it in its session) but a version that t2 had"
          + " overwritten: its writer causally precedes t2",
      Axiom.READ_ATOMIC),
  FRACTURED_READ_CM(
      "fractured-read-cm",
      "fractured read by commit order",
      names("l", "i, l", null),
      "a transaction saw part of t2 (or follows it in its session) but a version whose writer"
          + " must commit before t2",
      Axiom.READ_ATOMIC),
  CO_CONFLICT(
      "co-conflict",
      "causality violation",
      names("m", "k", null),
      "a transaction causally follows t2 but read a version that t2 had overwritten: its writer"
          + " causally precedes t2",
      Axiom.CAUSAL),
  CM_CONFLICT(
      "cm-conflict",
      "causality violation by commit order",
      names("n", "l", null),
      "a transaction causally follows t2 but read a version whose writer must commit before t2",
      Axiom.CAUSAL),
  INITIAL_READ(
      "initial-read",
      "initial read",
      names(null, "j", null),
      "a transaction that follows a writer of the key still read the initial version",
      Axiom.CAUSAL),

  // Cycles in Adya's graph.
  G0("G0", "dirty write", "a cycle of write dependencies", CycleKind.G0, false),
  G1C(
      "G1c",
      "circular information flow",
      "a cycle of write and read dependencies, at least one read",
      CycleKind.G1C,
      false),
  G_SINGLE_ITEM(
      "G-single-item",
      "read skew",
      "a cycle with exactly one anti-dependency, on an item",
      CycleKind.SINGLE,
      false),
  G_NONADJACENT_ITEM(
      "G-nonadjacent-item",
      "long fork",
      "a cycle with two or more anti-dependencies, all on items, no two adjacent",
      CycleKind.NONADJACENT,
      false),
  G2_ITEM(
      "G2-item",
      "write skew",
      "a cycle with two or more anti-dependencies, all on items, some adjacent",
      CycleKind.G2,
      false),
  G_SINGLE(
      "G-single",
      "read skew by a predicate",
      "a cycle with exactly one anti-dependency, by a predicate",
      CycleKind.SINGLE,
      true),
  G_NONADJACENT(
      "G-nonadjacent",
      "long fork by a predicate",
      "a cycle with two or more anti-dependencies, one by a predicate, no two adjacent",
      CycleKind.NONADJACENT,
      true),
  G2(
      "G2",
      "phantom",
      "a cycle with two or more anti-dependencies, one by a predicate, some adjacent",
      CycleKind.G2,
      true),
  G0_PROCESS(G0, Orders.SESSIONS),
  G1C_PROCESS(G1C, Orders.SESSIONS),
  G_SINGLE_ITEM_PROCESS(G_SINGLE_ITEM, Orders.SESSIONS),
  G_NONADJACENT_ITEM_PROCESS(G_NONADJACENT_ITEM, Orders.SESSIONS),
  G2_ITEM_PROCESS(G2_ITEM, Orders.SESSIONS),
  G_SINGLE_PROCESS(G_SINGLE, Orders.SESSIONS),
  G_NONADJACENT_PROCESS(G_NONADJACENT, Orders.SESSIONS),
  G2_PROCESS(G2, Orders.SESSIONS),
  G0_REALTIME(G0, Orders.REAL_TIME),
  G1C_REALTIME(G1C, Orders.REAL_TIME),
  G_SINGLE_ITEM_REALTIME(G_SINGLE_ITEM, Orders.REAL_TIME, "stale read"),
  G_NONADJACENT_ITEM_REALTIME(G_NONADJACENT_ITEM, Orders.REAL_TIME),
  G2_ITEM_REALTIME(G2_ITEM, Orders.REAL_TIME),
  G_SINGLE_REALTIME(G_SINGLE, Orders.REAL_TIME, "stale predicate read"),
  G_NONADJACENT_REALTIME(G_NONADJACENT, Orders.REAL_TIME),
  G2_REALTIME(G2, Orders.REAL_TIME),
  LOST_UPDATE(
      "lost-update",
      "lost update",
      names(null, null, "lost-update"),
      "two transactions read the same version of a key and both write the key",
      level -> level.cycles() == ForbiddenCycles.FLOW_AND_LOST_UPDATES),
  WRONG_TOTAL(
      "wrong-total",
      "wrong total",
      names(null, null, null),
      "reads of several counters have another total than the transactions leave",
      level ->
          level.cycles() != null
              && level.cycles().forbidsAll(CycleKind.SINGLE, false)
              && level.orders().includes(Orders.NONE)),
  CYCLIC_VERSIONS(
      "cyclic-versions",
      "cyclic versions",
      names(null, null, "cyclic-versions"),
      "the inferred version order of one key has a cycle",
      ForbiddenReads.TRACES,
      ForbiddenReads.OF_OPERATIONS);

  private record Names(String plume, String c4, String elle) {}

  private final String id;
  private final String title;
  private final Names names;
  private final String definition;
  private final Predicate<Level> forbids;

  /** Null until asked for: a check that finds nothing does not ask. */
  private Set<Level> forbiddenBy;

  private CycleKind cycleKind;
  private boolean byPredicate;
  private Orders orders = Orders.NONE;

  /** An anomaly that some levels forbid, and those that imply one of them. */
  AnomalyType(String id, String title, Names names, String definition, Predicate<Level> forbids) {
    this.id = id;
    this.title = title;
    this.names = names;
    this.definition = definition;
    this.forbids = forbids;
  }

  /** A read anomaly, independent of any order. */
  AnomalyType(String id, String title, Names names, String definition, ForbiddenReads... weakest) {
    this(
        id,
        title,
        names,
        definition,
        level -> Arrays.stream(weakest).anyMatch(level.reads()::includes));
  }

  /** A pattern that an axiom forbids. */
  AnomalyType(String id, String title, Names names, String definition, Axiom weakest) {
    this(
        id,
        title,
        names,
        definition,
        level ->
            level.axiom() != null
                && level.axiom().includes(weakest)
                && level.orders().includeSessions());
  }

  /** A cycle of Adya's graph, which Elle knows by the same name. */
  AnomalyType(
      String id,
      String title,
      String definition,
      CycleKind kind,
      boolean byPredicate,
      Orders needed) {
    this(
        id,
        title,
        names(null, null, id),
        definition,
        level ->
            level.cycles() != null
                && level.cycles().forbidsAll(kind, byPredicate)
                && level.orders().includes(needed));
    this.cycleKind = kind;
    this.byPredicate = byPredicate;
    this.orders = needed;
  }

  AnomalyType(String id, String title, String definition, CycleKind kind, boolean byPredicate) {
    this(id, title, definition, kind, byPredicate, Orders.NONE);
  }

  /** The same cycle where it also needs an order. */
  AnomalyType(AnomalyType plain, Orders needed, String title) {
    this(
        plain.id + needed.suffix(),
        title + " over " + needed.title(),
        "a " + plain.id + " cycle that also needs " + needed.title(),
        plain.cycleKind,
        plain.byPredicate,
        needed);
  }

  AnomalyType(AnomalyType plain, Orders needed) {
    this(plain, needed, plain.title);
  }

  private static Names names(String plume, String c4, String elle) {
    return new Names(plume, c4, elle);
  }

  /** The canonical name, as in reports. */
  public String id() {
    return id;
  }

  /** The usual name. */
  public String title() {
    return title;
  }

  /** What happened, in one clause. */
  public String definition() {
    return definition;
  }

  /** Plume's letter for this transactional anomalous pattern, or null. */
  public String plume() {
    return names.plume;
  }

  /** C4's letter, or letters where it depends on the instance, or null. */
  public String c4() {
    return names.c4;
  }

  /** Elle's or Adya's name, or null. */
  public String elle() {
    return names.elle;
  }

  /** The kind of cycle it is; null if it is not a cycle of dependencies. */
  public CycleKind cycleKind() {
    return cycleKind;
  }

  /** Whether it is a cycle in which a predicate missed something. */
  public boolean isByPredicate() {
    return byPredicate;
  }

  /** The orders that a cycle needs besides dependencies. */
  public Orders orders() {
    return orders;
  }

  /** Every level that forbids it. */
  public Set<Level> forbiddenBy() {
    Set<Level> known = forbiddenBy;
    if (known == null) {
      Set<Level> all = EnumSet.noneOf(Level.class);
      for (Level level : Level.values()) {
        if (forbids.test(level)) {
          all.addAll(level.andStronger());
        }
      }
      known = Collections.unmodifiableSet(all);
      // Two threads may both compute it, with the same result.
      forbiddenBy = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return id;
  }

  /** The anomaly with this id, or the only one that Elle or Adya call so, ignoring case. */
  public static Optional<AnomalyType> find(String name) {
    for (AnomalyType type : values()) {
      if (type.id.equalsIgnoreCase(name)) {
        return Optional.of(type);
      }
    }
    List<AnomalyType> called = new ArrayList<>();
    for (AnomalyType type : values()) {
      if (name.equalsIgnoreCase(type.names.elle)) {
        called.add(type);
      }
    }
    return called.size() == 1 ? Optional.of(called.get(0)) : Optional.empty();
  }

  /** The name of a cycle. */
  static AnomalyType ofCycle(CycleKind kind, boolean byPredicate, Orders orders) {
    boolean missesByPredicate = byPredicate && kind.compareTo(CycleKind.SINGLE) >= 0;
    for (AnomalyType type : values()) {
      if (type.cycleKind == kind
          && type.byPredicate == missesByPredicate
          && type.orders == orders) {
        return type;
      }
    }
    throw new IllegalArgumentException("no name for " + kind + " over " + orders);
  }

  /**
   * The name of an argument by which one of several cycles of items exists, whatever the order of
   * versions is. A level that forbids the worst of them forbids them all.
   */
  public static AnomalyType ofCycles(Collection<Cycle> cycles) {
    CycleKind worst = CycleKind.G0;
    Orders orders = Orders.NONE;
    for (Cycle cycle : cycles) {
      worst = worst.compareTo(cycle.kind()) < 0 ? cycle.kind() : worst;
      orders = orders.includes(cycle.orders()) ? orders : cycle.orders();
    }
    return ofCycle(worst, false, orders);
  }

  /** The anomalies a level forbids. */
  public static List<AnomalyType> forbiddenBy(Level level) {
    List<AnomalyType> types = new ArrayList<>();
    for (AnomalyType type : values()) {
      if (type.forbiddenBy().contains(level)) {
        types.add(type);
      }
    }
    return types;
  }
}
