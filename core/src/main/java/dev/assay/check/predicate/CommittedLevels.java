package dev.assay.check.predicate;

import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.infer.predicates.PredicateTable;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import java.util.Map;
import java.util.Set;

/**
 * Decides read committed and weaker levels by a commit order in which every transaction saw only
 * versions committed before.
 */
final class CommittedLevels {
  /** The variant of read committed that a commit order proves, by what the order respects. */
  private static final Map<Level, Level> COMMITTED =
      Level.sameOrders(ForbiddenCycles.ALL, ForbiddenCycles.FLOW);

  private static final Verdict COMMITTED_BEFORE =
      new Verdict.Holds("in one commit order, every read saw only what had committed before it");

  private static final Verdict COMMITTED_BEFORE_AS_CERTIFIED =
      new Verdict.Holds(
          "in a commit order that agrees with the certificate, every read saw only what had"
              + " committed before it");

  private static final Verdict WRITTEN_IN_SESSION_ORDER =
      new Verdict.Holds("version orders can follow session order");

  private CommittedLevels() {}

  /** Decides by a likely commit order that agrees with the known version orders. */
  static void byResults(Subject subject, PredicateTable table, EdgeList known, Ledger ledger) {
    if (isAskedFor(subject)) {
      boolean free = known.size() == 0;
      if (free && !ledger.isViolated(Level.STRONG_SESSION_READ_UNCOMMITTED)) {
        ledger.answer(Level.STRONG_SESSION_READ_UNCOMMITTED, WRITTEN_IN_SESSION_ORDER);
      }
      tryOrder(subject, table, known, COMMITTED_BEFORE, ledger);
    }
  }

  /**
   * Decides by a commit order that agrees with a certificate. Other checkers compare the
   * certificate with the versions read; this one decides what the certificate leaves open, as those
   * of databases at read committed do for some predicate operations.
   *
   * @param before the order of commits, as far as the certificate gives it
   */
  static Map<Level, Verdict> byCertificate(Subject subject, PredicateTable table, EdgeList before) {
    Ledger ledger = new Ledger(subject.violated(), Set.of());
    tryOrder(subject, table, before, COMMITTED_BEFORE_AS_CERTIFIED, ledger);
    return ledger.answers();
  }

  static boolean isAskedFor(Subject subject) {
    return subject.history().isOfRows()
        && subject.levels().stream().anyMatch(Level.STRONG_ADYA_READ_COMMITTED::implies);
  }

  private static void tryOrder(
      Subject subject, PredicateTable table, EdgeList given, Verdict verdict, Ledger ledger) {
    if (ledger.isViolated(Level.ADYA_READ_COMMITTED)) {
      return;
    }
    History history = subject.history();
    int[] order = CommittedOrder.of(history, table, subject.reads(), given, subject.budget());
    Level proven = order == null ? null : COMMITTED.get(proven(subject, order));
    if (proven != null && !ledger.isViolated(proven)) {
      ledger.answer(proven, verdict);
    }
  }

  /** The strongest level that an order proves. */
  private static Level proven(Subject subject, int[] order) {
    Level proven = SerialOrderChecker.proven(subject.history(), order);
    // With trusted timestamps, these define real time.
    return proven.needsRealTime() && subject.versions().given().assumes(Assumption.TIMESTAMPS)
        ? Level.STRONG_SESSION_SERIALIZABLE
        : proven;
  }
}
