package dev.assay.level;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * The arrows of levels.md. Between levels of one family they follow from the rules; those between
 * families are theorems, and all are tested against the oracles.
 */
final class Lattice {
  static final List<Level> BY_CYCLES = byCycles();
  static final List<Level> BY_AXIOMS = byAxioms();
  static final Map<Level, EnumSet<Level>> BELOW = new EnumMap<>(Level.class);
  static final Map<Level, EnumSet<Level>> ALL_BELOW = new EnumMap<>(Level.class);
  static final Map<Level, EnumSet<Level>> ALL_ABOVE = new EnumMap<>(Level.class);

  static {
    for (Level level : Level.values()) {
      BELOW.put(level, EnumSet.of(level));
      ALL_ABOVE.put(level, EnumSet.noneOf(Level.class));
      for (Level other : Level.values()) {
        if (level.rule().includes(other.rule())) {
          BELOW.get(level).add(other);
        }
      }
    }
    theorem(Level.STRICT_SERIALIZABLE, Level.SERIALIZABLE_LINEARIZABLE_KEYS);
    theorem(Level.SERIALIZABLE_LINEARIZABLE_KEYS, Level.SERIALIZABLE);
    theorem(Level.PARALLEL_SNAPSHOT_ISOLATION, Level.CAUSAL);
    theorem(Level.PREFIX, Level.CAUSAL);
    theorem(Level.UPDATE_ATOMIC, Level.READ_ATOMIC);
    theorem(Level.CONSISTENT_VIEW, Level.MONOTONIC_ATOMIC_VIEW, Level.CUT_ISOLATION);
    theorem(Level.CAUSAL, Level.CAUSAL_NON_TRANSACTIONAL);
    theorem(Level.READ_ATOMIC, Level.CUT_ISOLATION);
    theorem(Level.READ_COMMITTED, Level.STRONG_SESSION_ADYA_READ_COMMITTED);
    theorem(Level.MONOTONIC_ATOMIC_VIEW, Level.ADYA_READ_COMMITTED);
    for (Level level : Level.values()) {
      for (Level below : allBelow(level)) {
        ALL_ABOVE.get(below).add(level);
      }
    }
    for (Level level : Level.values()) {
      EnumSet<Level> direct = BELOW.get(level);
      direct.remove(level);
      for (Level between : EnumSet.copyOf(direct)) {
        if (direct.removeAll(ALL_BELOW.get(between))) {
          direct.add(between);
        }
      }
    }
  }

  private static void theorem(Level from, Level... to) {
    BELOW.get(from).addAll(List.of(to));
  }

  private static EnumSet<Level> allBelow(Level level) {
    EnumSet<Level> known = ALL_BELOW.get(level);
    if (known == null) {
      known = EnumSet.of(level);
      for (Level below : BELOW.get(level)) {
        if (below != level) {
          known.addAll(allBelow(below));
        }
      }
      ALL_BELOW.put(level, known);
    }
    return known;
  }

  /** In the order of the kinds of cycles, the worst first, then of orders. */
  private static List<Level> byCycles() {
    List<Level> levels = new ArrayList<>();
    for (CycleKind kind : CycleKind.values()) {
      for (Orders orders : Orders.values()) {
        for (ForbiddenCycles cycles : ForbiddenCycles.values()) {
          if (cycles.kind() == kind) {
            Level.find(cycles, orders).ifPresent(levels::add);
          }
        }
      }
    }
    return Collections.unmodifiableList(levels);
  }

  /** In the order of the axioms, then of orders. */
  private static List<Level> byAxioms() {
    List<Level> levels = new ArrayList<>();
    for (Axiom axiom : Axiom.values()) {
      for (Orders orders : Orders.values()) {
        for (Level level : Level.values()) {
          if (level.axiom() == axiom && level.orders() == orders) {
            levels.add(level);
          }
        }
      }
    }
    return Collections.unmodifiableList(levels);
  }
}
