package dev.assay.level;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of thing that must not happen, with its names elsewhere (Plume's and C4's letters, Elle's
 * name) and the weakest levels that forbid it. Every level that implies one of those forbids it
 * too.
 */
public enum AnomalyType {
  // Read consistency: visible in one read.
  THIN_AIR_READ(
      "thin-air-read",
      "thin-air read",
      names("a", "a", "garbage read"),
      "the value read was never written",
      Weakest.COMMITTED_READS),
  ABORTED_READ(
      "aborted-read",
      "aborted read",
      names("b", "b", "G1a"),
      "the value read was written by an aborted transaction",
      Weakest.COMMITTED_READS),
  FUTURE_READ(
      "future-read",
      "future read",
      names("c", "c", "future-read"),
      "a transaction read a value that it writes only later",
      Weakest.COMMITTED_READS),
  NOT_MY_OWN_WRITE(
      "not-my-own-write",
      "not my own write",
      names("d", "d", "internal"),
      "a transaction wrote a key, then read it from another transaction",
      Weakest.OWN_READS),
  NOT_MY_LAST_WRITE(
      "not-my-last-write",
      "not my last write",
      names("e", null, "internal"),
      "a transaction read its own write of a key, but not the latest one before the read",
      Weakest.ORDERED_READS),
  INTERMEDIATE_READ(
      "intermediate-read",
      "intermediate read",
      names("f", "e", "G1b"),
      "a transaction read a write of another that is not that one's last on the key",
      Weakest.FINAL_READS),
  NON_REPEATABLE_READ(
      "non-repeatable-read",
      "non-repeatable read",
      names("j", "f", "internal"),
      "two reads of a key in one transaction, no own write in between, saw different versions",
      Weakest.REPEATED_READS),
  DIRTY_UPDATE(
      "dirty-update",
      "dirty update",
      names(null, null, "dirty-update"),
      "a committed version was built on an aborted one",
      Weakest.COMMITTED_READS),
  DUPLICATE_WRITE(
      "duplicate-write",
      "duplicate write",
      names(null, null, "duplicate-elements"),
      "one write was applied twice",
      Weakest.TRACES),
  INCOMPATIBLE_ORDER(
      "incompatible-order",
      "incompatible order",
      names(null, null, "incompatible-order"),
      "two reads of one list disagree on the order of its elements, or a read and who appended"
          + " them",
      Weakest.TRACES),
  LOST_WRITE(
      "lost-write",
      "lost write",
      names(null, null, null),
      "an acknowledged write is missing from a final read although nothing overwrote it",
      Weakest.STRONGER_LEVELS),
  CERTIFICATE_CONTRADICTION(
      "certificate-contradiction",
      "certificate contradiction",
      names(null, null, null),
      "a given version or serialization order contradicts what was read",
      Weakest.STRONGER_LEVELS),
  RESULT_SET_MISMATCH(
      "result-set-mismatch",
      "result set mismatch",
      names(null, null, null),
      "a predicate's result differs from its evaluation over its version set",
      Weakest.STRONGER_LEVELS),

  // Patterns over causal order (CO) and commit order (CM).
  CYCLIC_CAUSALITY(
      "cyclic-causality",
      "cyclic causality",
      names("g", "g", "G1c-process"),
      "transactions precede each other in a circle of session order and reads",
      Weakest.CAUSAL_ORDER),
  NON_MONOTONIC_READ_CO(
      "non-monotonic-read-co",
      "non-monotonic read",
      names("h", "h", null),
      "a transaction read from t2, then a version of another key that t2 had overwritten:"
          + " its writer causally precedes t2",
      EnumSet.of(Level.READ_COMMITTED)),
  NON_MONOTONIC_READ_CM(
      "non-monotonic-read-cm",
      "non-monotonic read by commit order",
      names("i", "i", null),
      "a transaction read from t2, then a version whose writer must commit before t2; read"
          + " committed forbids it where its own commit order says so",
      EnumSet.of(Level.READ_ATOMIC)),
  FRACTURED_READ_CO(
      "fractured-read-co",
      "fractured read",
      names("k", "h, k", null),
      "a transaction saw part of t2 (or follows it in its session) but a version that t2 had"
          + " overwritten: its writer causally precedes t2",
      EnumSet.of(Level.READ_ATOMIC)),
  FRACTURED_READ_CM(
      "fractured-read-cm",
      "fractured read by commit order",
      names("l", "i, l", null),
      "a transaction saw part of t2 (or follows it in its session) but a version whose writer"
          + " must commit before t2",
      EnumSet.of(Level.READ_ATOMIC)),
  CO_CONFLICT(
      "co-conflict",
      "causality violation",
      names("m", "k", null),
      "a transaction causally follows t2 but read a version that t2 had overwritten: its writer"
          + " causally precedes t2",
      EnumSet.of(Level.CAUSAL)),
  CM_CONFLICT(
      "cm-conflict",
      "causality violation by commit order",
      names("n", "l", null),
      "a transaction causally follows t2 but read a version whose writer must commit before t2",
      EnumSet.of(Level.CAUSAL)),
  INITIAL_READ(
      "initial-read",
      "initial read",
      names(null, "j", null),
      "a transaction that follows a writer of the key still read the initial version",
      EnumSet.of(Level.CAUSAL)),

  // Cycles in Adya's graph.
  G0("G0", "dirty write", "a cycle of write dependencies", Level.READ_UNCOMMITTED),
  G1C(
      "G1c",
      "circular information flow",
      "a cycle of write and read dependencies, at least one read",
      Level.ADYA_READ_COMMITTED),
  G_SINGLE_ITEM(
      "G-single-item",
      "read skew",
      "a cycle with exactly one anti-dependency, on an item",
      Level.CONSISTENT_VIEW,
      Level.REPEATABLE_READ),
  G_NONADJACENT_ITEM(
      "G-nonadjacent-item",
      "long fork",
      "a cycle with two or more anti-dependencies, all on items, no two adjacent",
      Level.SNAPSHOT_ISOLATION,
      Level.REPEATABLE_READ),
  G2_ITEM(
      "G2-item",
      "write skew",
      "a cycle with two or more anti-dependencies, all on items, some adjacent",
      Level.REPEATABLE_READ),
  G_SINGLE(
      "G-single",
      "read skew by a predicate",
      "a cycle with exactly one anti-dependency, by a predicate",
      Level.CONSISTENT_VIEW),
  G_NONADJACENT(
      "G-nonadjacent",
      "long fork by a predicate",
      "a cycle with two or more anti-dependencies, one by a predicate, no two adjacent",
      Level.SNAPSHOT_ISOLATION),
  G2(
      "G2",
      "phantom",
      "a cycle with two or more anti-dependencies, one by a predicate, some adjacent",
      Level.SERIALIZABLE),
  G0_PROCESS(
      "G0-process",
      "dirty write over session order",
      "a G0 cycle that also needs session order",
      Level.STRONG_SESSION_READ_UNCOMMITTED),
  G1C_PROCESS(
      "G1c-process",
      "circular information flow over session order",
      "a G1c cycle that also needs session order",
      Level.STRONG_SESSION_ADYA_READ_COMMITTED),
  G_SINGLE_ITEM_PROCESS(
      "G-single-item-process",
      "read skew over session order",
      "a G-single-item cycle that also needs session order",
      Level.PARALLEL_SNAPSHOT_ISOLATION,
      Level.STRONG_SESSION_REPEATABLE_READ),
  G_NONADJACENT_ITEM_PROCESS(
      "G-nonadjacent-item-process",
      "long fork over session order",
      "a G-nonadjacent-item cycle that also needs session order",
      Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
      Level.STRONG_SESSION_REPEATABLE_READ),
  G2_ITEM_PROCESS(
      "G2-item-process",
      "write skew over session order",
      "a G2-item cycle that also needs session order",
      Level.STRONG_SESSION_REPEATABLE_READ),
  G_SINGLE_PROCESS(
      "G-single-process",
      "read skew by a predicate over session order",
      "a G-single cycle that also needs session order",
      Level.PARALLEL_SNAPSHOT_ISOLATION),
  G_NONADJACENT_PROCESS(
      "G-nonadjacent-process",
      "long fork by a predicate over session order",
      "a G-nonadjacent cycle that also needs session order",
      Level.STRONG_SESSION_SNAPSHOT_ISOLATION),
  G2_PROCESS(
      "G2-process",
      "phantom over session order",
      "a G2 cycle that also needs session order",
      Level.STRONG_SESSION_SERIALIZABLE),
  G0_REALTIME(
      "G0-realtime",
      "dirty write over real time",
      "a G0 cycle that also needs real time",
      Level.STRONG_READ_UNCOMMITTED),
  G1C_REALTIME(
      "G1c-realtime",
      "circular information flow over real time",
      "a G1c cycle that also needs real time",
      Level.STRONG_ADYA_READ_COMMITTED),
  G_SINGLE_ITEM_REALTIME(
      "G-single-item-realtime",
      "stale read over real time",
      "a G-single-item cycle that also needs real time",
      Level.STRONG_CONSISTENT_VIEW,
      Level.STRONG_REPEATABLE_READ),
  G_NONADJACENT_ITEM_REALTIME(
      "G-nonadjacent-item-realtime",
      "long fork over real time",
      "a G-nonadjacent-item cycle that also needs real time",
      Level.STRONG_SNAPSHOT_ISOLATION,
      Level.STRONG_REPEATABLE_READ),
  G2_ITEM_REALTIME(
      "G2-item-realtime",
      "write skew over real time",
      "a G2-item cycle that also needs real time",
      Level.STRONG_REPEATABLE_READ),
  G_SINGLE_REALTIME(
      "G-single-realtime",
      "stale predicate read over real time",
      "a G-single cycle that also needs real time",
      Level.STRONG_CONSISTENT_VIEW),
  G_NONADJACENT_REALTIME(
      "G-nonadjacent-realtime",
      "long fork by a predicate over real time",
      "a G-nonadjacent cycle that also needs real time",
      Level.STRONG_SNAPSHOT_ISOLATION),
  G2_REALTIME(
      "G2-realtime",
      "phantom over real time",
      "a G2 cycle that also needs real time",
      Level.STRICT_SERIALIZABLE),
  LOST_UPDATE(
      "lost-update",
      "lost update",
      "two transactions read the same version of a key and both write the key",
      Level.CURSOR_STABILITY),
  CYCLIC_VERSIONS(
      "cyclic-versions",
      "cyclic versions",
      names(null, null, "cyclic-versions"),
      "the inferred version order of one key has a cycle",
      Weakest.TRACES);

  /** Sets of levels that several anomalies share: the paragraph "who forbids what". */
  private static final class Weakest {
    private static final Set<Level> SESSION_GUARANTEES =
        EnumSet.of(
            Level.READ_YOUR_WRITES,
            Level.MONOTONIC_READS,
            Level.MONOTONIC_WRITES,
            Level.WRITES_FOLLOW_READS);

    static final Set<Level> TRACES =
        withSessions(Level.READ_UNCOMMITTED, Level.CAUSAL_NON_TRANSACTIONAL);
    static final Set<Level> COMMITTED_READS =
        withSessions(Level.ADYA_READ_COMMITTED, Level.CAUSAL_NON_TRANSACTIONAL);

    /** Not forbidden where every operation stands alone: there each write is a last one. */
    static final Set<Level> FINAL_READS = withSessions(Level.ADYA_READ_COMMITTED);

    static final Set<Level> ORDERED_READS =
        withSessions(
            Level.READ_COMMITTED,
            Level.MONOTONIC_ATOMIC_VIEW,
            Level.REPEATABLE_READ,
            Level.CAUSAL_NON_TRANSACTIONAL);

    /** Not forbidden where every operation stands alone: the other write may simply be newer. */
    static final Set<Level> OWN_READS =
        withSessions(Level.READ_COMMITTED, Level.MONOTONIC_ATOMIC_VIEW, Level.REPEATABLE_READ);

    static final Set<Level> REPEATED_READS = EnumSet.of(Level.CUT_ISOLATION, Level.REPEATABLE_READ);
    static final Set<Level> STRONGER_LEVELS =
        EnumSet.of(Level.READ_ATOMIC, Level.CONSISTENT_VIEW, Level.REPEATABLE_READ);

    /** Not forbidden where every operation stands alone: two may read each other's first write. */
    static final Set<Level> CAUSAL_ORDER = withSessions(Level.READ_COMMITTED);

    private static Set<Level> withSessions(Level... levels) {
      Set<Level> all = EnumSet.copyOf(SESSION_GUARANTEES);
      Collections.addAll(all, levels);
      return all;
    }
  }

  private record Names(String plume, String c4, String elle) {}

  private final String id;
  private final String title;
  private final Names names;
  private final String definition;
  private final Set<Level> forbiddenBy;

  AnomalyType(String id, String title, Names names, String definition, Set<Level> weakest) {
    this.id = id;
    this.title = title;
    this.names = names;
    this.definition = definition;
    Set<Level> all = EnumSet.noneOf(Level.class);
    weakest.forEach(level -> all.addAll(level.andStronger()));
    this.forbiddenBy = Collections.unmodifiableSet(all);
  }

  /** A cycle of Adya's graph, which Elle knows by the same name. */
  AnomalyType(String id, String title, String definition, Level... weakest) {
    this(id, title, names(null, null, id), definition, EnumSet.copyOf(List.of(weakest)));
  }

  private static Names names(String plume, String c4, String elle) {
    return new Names(plume, c4, elle);
  }

  /** The canonical name, as in reports. */
  public String id() {
    return id;
  }

  /** The name people use. */
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

  /** Every level that forbids it. */
  public Set<Level> forbiddenBy() {
    return forbiddenBy;
  }

  @Override
  public String toString() {
    return id;
  }

  /** The anomaly with this id, or the only one that Elle or Adya call so, letter case aside. */
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

  /** The anomalies a level forbids. */
  public static List<AnomalyType> forbiddenBy(Level level) {
    List<AnomalyType> types = new ArrayList<>();
    for (AnomalyType type : values()) {
      if (type.forbiddenBy.contains(level)) {
        types.add(type);
      }
    }
    return types;
  }
}
