package dev.assay.check.mixed;

import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.Axiom;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/** The levels that the transactions of a history ran at. */
public final class Promises {
  /** What a level requires of the transaction that ran at it, beside its single reads. */
  enum Kind {
    /** Nothing: its writes have a place in the commit order. */
    WRITES,
    /** It follows what it reads from, and sees what an axiom says. */
    AXIOM,
    /** It reads a prefix of the commit order. */
    PREFIX,
    /** The same, and it follows the last writer of every key that it writes. */
    SNAPSHOT,
    /** It reads everything before it in the commit order. */
    SERIAL
  }

  private final Level[] levels;
  private final Set<Level> used = EnumSet.noneOf(Level.class);
  private Verdict.Unknown problem;

  /**
   * Looks up the levels.
   *
   * @param counts the transactions that count
   */
  Promises(History history, IntPredicate counts) {
    levels = new Level[history.transactionCount()];
    for (int txn = 0; txn < levels.length && problem == null; txn++) {
      if (counts.test(txn)) {
        take(history, txn);
      }
    }
  }

  private void take(History history, int txn) {
    String name = history.level(txn);
    Optional<Level> level = name == null ? Optional.empty() : Level.find(name);
    if (name == null) {
      problem = unsupported("T%s does not say which level it ran at", history.label(txn));
    } else if (level.isEmpty()) {
      problem = unsupported("T%s ran at %s, which is not a known level", history.label(txn), name);
    } else if (kind(level.get()) == null) {
      problem = unsupported("%s cannot be mixed with other levels", level.get().id());
    } else if (level.get().needsRealTime() && !history.hasTimes()) {
      problem =
          new Verdict.Unknown(Verdict.Reason.NO_REALTIME, "the history has no real-time stamps");
    } else {
      levels[txn] = level.get();
      used.add(level.get());
    }
  }

  private static Verdict.Unknown unsupported(String text, Object... details) {
    return new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, text.formatted(details));
  }

  /** The one level that all transactions of a history ran at; empty if there are several. */
  public static Optional<Level> common(History history) {
    if (!history.hasLevels() || history.transactionCount() == 0) {
      return Optional.empty();
    }
    String name = history.level(0);
    for (int txn = 1; txn < history.transactionCount(); txn++) {
      if (name == null || !name.equals(history.level(txn))) {
        return Optional.empty();
      }
    }
    return Level.find(name).filter(Level.surveyed()::contains);
  }

  /** Why they cannot be compared with what happened, or null. */
  Verdict.Unknown problem() {
    return problem;
  }

  /** All levels at which transactions that count ran. */
  Set<Level> used() {
    return used;
  }

  /** The level of a transaction that counts. */
  Level of(int txn) {
    return levels[txn];
  }

  Kind kind(int txn) {
    return kind(levels[txn]);
  }

  /** Whether a transaction may read whatever it likes. */
  boolean ignoresReads(int txn) {
    return kind(txn) == Kind.WRITES;
  }

  /** Whether the commit order respects sessions: one of the levels does. */
  boolean respectSessions() {
    return used.stream().anyMatch(level -> level.orders().includeSessions());
  }

  boolean needRealTime() {
    return used.stream().anyMatch(Level::needsRealTime);
  }

  /** What a level requires; null if it cannot be said of one transaction alone. */
  private static Kind kind(Level level) {
    if (level.axiom() != null) {
      boolean known =
          level.axiom() == Axiom.READ_COMMITTED
              || level.axiom() == Axiom.READ_ATOMIC
              || level.axiom() == Axiom.CAUSAL;
      return known ? Kind.AXIOM : null;
    }
    if (level.cycles() == null) {
      return null;
    }
    return switch (level.cycles()) {
      case WRITES -> Kind.WRITES;
      case FLOW -> Kind.AXIOM;
      case NO_RW_AFTER_WW_OR_RW -> Kind.PREFIX;
      case NO_ADJACENT_RW -> Kind.SNAPSHOT;
      case ALL_OF_ITEMS, ALL -> Kind.SERIAL;
      case FLOW_AND_LOST_UPDATES, ONE_RW_AGAINST_ONE_EDGE, AT_MOST_ONE_RW -> null;
    };
  }
}
