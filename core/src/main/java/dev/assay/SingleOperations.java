package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Verdict;
import dev.assay.check.linear.Divided;
import dev.assay.check.linear.SearchedKeys;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides the levels of single operations, as a level of transactions of a history in which each
 * transaction is divided. For {@code linearizable} what a transaction does with one key is a part,
 * and the parts of different keys are in different sessions; that all keys are judged together
 * changes nothing, because linearizability is local (Herlihy and Wing 1990, theorem 1). For {@code
 * sequential} a part is a run of operations on one key, in program order.
 *
 * <p>For linearizability each key is first searched for an order ({@link SearchedKeys}), and only
 * what that leaves is divided.
 */
final class SingleOperations {
  private static final Verdict OWN_INCREMENTS =
      new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "a transaction read a counter that it had incremented, which orders nothing");

  private SingleOperations() {}

  /** Whether a level of single operations is asked for. */
  static boolean areAsked(Set<Level> levels) {
    return levels.stream().anyMatch(level -> level.ofParts() != null);
  }

  /** Decides such levels, and those of transactions that are asked for beside them. */
  static Report check(History history, CheckOptions options, Pipeline.Again again) {
    Set<Level> whole = EnumSet.copyOf(options.levels());
    whole.removeIf(level -> level.ofParts() != null);
    Report report =
        whole.isEmpty()
            ? new Report(history, Map.of(), List.of(), List.of(), Map.of())
            : again.check(history, whole, options.given());
    for (Level level : options.levels()) {
      if (level.ofParts() != null) {
        report = with(report, level, options, again);
      }
    }
    return report;
  }

  private static Report with(
      Report report, Level level, CheckOptions options, Pipeline.Again again) {
    History history = report.history();
    Verdict problem = problem(history, options.given());
    if (problem != null) {
      return report.alsoAbout(level, problem);
    }
    // Without times a search could only refute.
    if (level != Level.LINEARIZABLE || !history.hasTimes()) {
      return with(
          report, level, level == Level.LINEARIZABLE ? byKey(history) : byRun(history), again);
    }
    SearchedKeys.Found found = new SearchedKeys(history, options.budget()).run();
    Rewriting left = Divided.byKey(history, found.left());
    Report rest = with(report, level, left, again);
    return new KeyConflicts(history, again).added(rest, level, found);
  }

  /** Decides a level of parts by the checkers of transactions. */
  private static Report with(Report report, Level level, Rewriting parts, Pipeline.Again again) {
    History divided = parts.rewritten();
    if (divided.operationCount() == 0 && report.history().operationCount() > 0) {
      return report.alsoAbout(level, new Verdict.Holds("no operation is left to explain"));
    }
    if (divided.uses(OpKind.Type::isNumber) && readsOwnIncrements(divided)) {
      return report.alsoAbout(level, OWN_INCREMENTS);
    }
    Report found = again.check(divided, Set.of(level.ofParts()), Given.NOTHING);
    Report more =
        report
            .alsoAbout(level, found.verdict(level.ofParts()))
            .withAnomalies(
                about(ArgumentMapper.back(parts).anomalies(found.anomalies()), level),
                found.notes());
    return report.stageMillis().isEmpty() ? more.withStages(found.stageMillis()) : more;
  }

  /** What violates a level of transactions of the divided history violates this one. */
  static List<Anomaly> about(List<Anomaly> anomalies, Level level) {
    return anomalies.stream()
        .map(
            anomaly ->
                new Anomaly(
                    anomaly.type(),
                    EnumSet.of(level),
                    anomaly.count(),
                    anomaly.countIsLowerBound(),
                    anomaly.witnesses()))
        .toList();
  }

  /** Why these levels cannot be decided, or null. */
  private static Verdict problem(History history, Given given) {
    if (history.uses(OpKind.Type.PREDICATE)) {
      return new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED, "predicate operations are not on single keys");
    }
    return given.isNothing()
        ? null
        : new Verdict.Unknown(
            Verdict.Reason.UNSUPPORTED,
            "certificates and assumptions are about transactions; ask for it without them");
  }

  private static boolean readsOwnIncrements(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int read = history.firstOp(txn); read < history.endOp(txn); read++) {
        for (int op = history.firstOp(txn); op < read; op++) {
          boolean ofOwn =
              history.kind(read).type().isNumber()
                  && !history.kind(read).isWrite()
                  && history.kind(op).isWrite();
          if (ofOwn && history.key(op) == history.key(read)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // ---- parts of transactions

  private static Rewriting byKey(History history) {
    return isOfSingleKeys(history) && sessionsFollowTime(history)
        ? Rewriting.none(history)
        : Divided.byKey(history);
  }

  private static Rewriting byRun(History history) {
    return isOfSingleKeys(history) ? Rewriting.none(history) : Divided.byRun(history);
  }

  /** Whether each transaction is one part, so that nothing is to be divided. */
  private static boolean isOfSingleKeys(History history) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn) + 1; op < history.endOp(txn); op++) {
        if (history.key(op) != history.key(op - 1)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether real time has all of session order, so that it does not matter across keys. */
  private static boolean sessionsFollowTime(History history) {
    long[] free = new long[history.sessionCount()];
    Arrays.fill(free, Long.MIN_VALUE);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int session = history.session(txn);
      if (history.outcome(txn) == Outcome.ABORTED) {
        continue;
      }
      boolean first = free[session] == Long.MIN_VALUE;
      if (!first && (history.start(txn) == History.ABSENT || history.start(txn) <= free[session])) {
        return false;
      }
      long end = history.knownEnd(txn);
      free[session] = end == History.ABSENT ? Long.MAX_VALUE : end;
    }
    return true;
  }
}
