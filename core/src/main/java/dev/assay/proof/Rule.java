package dev.assay.proof;

import dev.assay.history.History;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A level as docs/proofs.md puts it: the orders that a commit order respects, and what a reader
 * must see of the transactions before it.
 *
 * @param reads whether writers come before those who read from them
 * @param onKeys whether sessions and real time order only those who access a common key
 * @param serial whether the order is the serialization order that is given
 */
record Rule(
    Sees sees, boolean reads, boolean sessions, boolean realTime, boolean onKeys, boolean serial) {
  /** What a reader must see. */
  enum Sees {
    NOTHING,
    /** Everything before it. */
    ALL,
    /** Everything up to the last that it follows, overwrites or reads from. */
    SNAPSHOT,
    /** Everything up to the last that it follows or reads from. */
    PREFIX,
    /** What a path of dependencies leads from. */
    PAST,
    /** What it follows, overwrites or reads from. */
    NEIGHBOURS,
    /** What a path of session order and reads leads from. */
    CAUSES,
    /** What it follows or reads from. */
    SOURCES,
    /** What it has read from before. */
    EARLIER,
    OWN_WRITES,
    READS,
    WRITES,
    FOLLOWED_READS,
    PRAM
  }

  /** By which a serialization order that is given must explain every read. */
  static final Rule REPLAY = new Rule(Sees.ALL, true, false, false, false, true);

  /** What a level requires of each transaction that counts. */
  static IntFunction<Rule> of(Level level, Facts facts) {
    if (level != Level.MIXED) {
      Rule rule = of(level, false);
      return txn -> rule;
    }
    boolean sessions =
        IntStream.range(0, facts.size)
            .filter(facts::counts)
            .anyMatch(txn -> promised(facts.history, txn).orders().includeSessions());
    return txn -> of(promised(facts.history, txn), sessions);
  }

  /** The level that forbids the same reads and cycles, where a level has no row of its own. */
  static Level ofCycles(Level level) {
    return level == Level.SERIALIZABLE_LINEARIZABLE_KEYS ? Level.SERIALIZABLE : level;
  }

  /** The level that a transaction ran at; null unless its name is that of a level. */
  static Level promised(History history, int txn) {
    String name = history.level(txn);
    return name == null
        ? null
        : Level.find(name).filter(level -> level.id().equals(name)).orElse(null);
  }

  private static Rule of(Level level, boolean sessions) {
    if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
      return new Rule(Sees.CAUSES, true, true, false, false, false);
    }
    return new Rule(
        sees(ofCycles(level)),
        level.cycles() != ForbiddenCycles.WRITES,
        sessions || level.orders().includeSessions(),
        level.needsRealTime(),
        level == Level.SERIALIZABLE_LINEARIZABLE_KEYS,
        false);
  }

  /** Whether a level can be that of one transaction among others, as docs/levels.md says. */
  static boolean canBeMixed(Level level) {
    boolean known = level != null && (level.cycles() != null || level.axiom() != null);
    return known
        && level != Level.CURSOR_STABILITY
        && !EnumSet.of(
                Sees.PAST,
                Sees.NEIGHBOURS,
                Sees.OWN_WRITES,
                Sees.READS,
                Sees.WRITES,
                Sees.FOLLOWED_READS,
                Sees.PRAM)
            .contains(sees(level));
  }

  private static Sees sees(Level level) {
    if (level.cycles() != null) {
      return switch (level.cycles()) {
        case WRITES, FLOW, FLOW_AND_LOST_UPDATES -> Sees.NOTHING;
        case ONE_RW_AGAINST_ONE_EDGE -> Sees.NEIGHBOURS;
        case AT_MOST_ONE_RW -> Sees.PAST;
        case NO_RW_AFTER_WW_OR_RW -> Sees.PREFIX;
        case NO_ADJACENT_RW -> Sees.SNAPSHOT;
        case ALL_OF_ITEMS, ALL -> Sees.ALL;
      };
    }
    return switch (level.axiom()) {
      case READ_COMMITTED -> Sees.EARLIER;
      case READ_YOUR_WRITES -> Sees.OWN_WRITES;
      case READ_ATOMIC -> Sees.SOURCES;
      case MONOTONIC_READS -> Sees.READS;
      case MONOTONIC_WRITES -> Sees.WRITES;
      case WRITES_FOLLOW_READS -> Sees.FOLLOWED_READS;
      case PRAM -> Sees.PRAM;
      case CAUSAL -> Sees.CAUSES;
    };
  }

  /** Whether at most one anti-dependency is in a cycle, with edges that say what a reader sees. */
  boolean limitsBack() {
    return sees.compareTo(Sees.NEIGHBOURS) >= 0;
  }
}
