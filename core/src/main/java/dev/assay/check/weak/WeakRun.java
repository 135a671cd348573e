package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides the levels that axioms define, for one history and one choice of writers: an {@link
 * OrderSearch} per level finds a commit order or refutes it, and {@link Patterns} names what
 * refuted it.
 */
final class WeakRun {
  private final Subject subject;
  private final Set<Level> levels;
  private final Causality causality;
  private final List<KeyAccess> access;
  private final OrderSearch search;
  private final Patterns patterns;
  private final Ledger ledger;

  /** What refuted {@code causal}, or null. */
  private OrderSearch.Result.Refuted causalRefuted;

  WeakRun(Subject subject, Set<Level> levels) {
    this.subject = subject;
    this.levels = levels;
    // Decides each condition itself, whatever is known to hold from elsewhere.
    this.ledger = new Ledger(subject.violated(), Set.of());
    History history = subject.history();
    ReadsFrom reads = subject.reads();
    this.access = new ArrayList<>(reads.access());
    access.add(subject.versions().lists().access());
    this.causality = new Causality(history, reads, subject.versions().order());
    this.search = OrderSearch.of(causality, true, access, subject.budget());
    this.patterns = new Patterns(search, access, subject.budget());
  }

  /** The levels found to hold, or undecided; those violated are in {@link #anomalies}. */
  Map<Level, Verdict> verdicts() {
    return ledger.answers();
  }

  /** Whether a level, or one that implies it, was found to hold. */
  boolean holds(Level level) {
    return ledger.holds(level);
  }

  List<Anomaly> anomalies() {
    return patterns.anomalies();
  }

  /** The first guess at a commit order. */
  CommitOrder firstGuess() {
    return search.firstGuess();
  }

  WeakRun decide() {
    if (search.cycles().any()) {
      patterns.addCycles(search, levels);
    } else if (search.firstGuessIsSerial()) {
      hold(Level.STRONG_SESSION_SERIALIZABLE, "a serial order explains every read");
      if (RealTime.respectedBy(search.firstGuess(), subject.history())) {
        hold(
            Level.STRICT_SERIALIZABLE,
            "a serial order that respects real time explains every read");
      }
    }
    Map<Level, Refuted> refuted = new EnumMap<>(Level.class);
    for (Level level : levels) {
      if (!ledger.holds(level)) {
        decide(level, refuted);
      }
    }
    // Weaker levels are named first: names refer to the weakest level violated.
    for (Level level : Level.definedByAxioms()) {
      Refuted found = refuted.remove(level);
      if (found != null) {
        patterns.add(level, found.search, found.result);
      }
    }
    return this;
  }

  /**
   * Whether a commit order that keeps transactions whole proves {@code causal-non-transactional},
   * although {@code causal} is violated; false if that is not known.
   */
  boolean provesOperations() {
    OperationProof proof = new OperationProof(causality);
    return causalRefuted != null
        && !search.cycles().any()
        && proof.isPossible(subject.versions())
        && proof.succeeds(search, causalRefuted);
  }

  private record Refuted(OrderSearch search, OrderSearch.Result.Refuted result) {}

  private void decide(Level level, Map<Level, Refuted> refuted) {
    if (subject.budget().expired()) {
      ledger.answer(level, Verdict.Unknown.TIMEOUT);
      return;
    }
    OrderSearch own = searchFor(level);
    if (own != search && own.cycles().any()) {
      patterns.addCycles(own, Set.of(level));
    }
    OrderSearch.Result result = own.run(level.axiom());
    if (result instanceof OrderSearch.Result.Refuted found) {
      refuted.put(level, new Refuted(own, found));
      if (level == Level.CAUSAL) {
        causalRefuted = found;
      }
    } else if (result instanceof OrderSearch.Result.Expired) {
      ledger.answer(level, Verdict.Unknown.TIMEOUT);
    } else if (!own.cycles().any()) {
      hold(level, "a commit order satisfies every read");
    }
  }

  private OrderSearch searchFor(Level level) {
    return level.orders().includeSessions()
        ? search
        : OrderSearch.of(causality, false, access, subject.budget());
  }

  /** A commit order that satisfies the axiom of a level, or null if none is found. */
  CommitOrder commitOrder(Level level) {
    OrderSearch own = searchFor(level);
    boolean found = !own.cycles().any();
    return found && own.run(level.axiom()) instanceof OrderSearch.Result.Found result
        ? result.order()
        : null;
  }

  private void hold(Level level, String why) {
    if (!ledger.isViolated(level)) {
      ledger.answer(level, new Verdict.Holds(why));
    }
  }
}
