package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
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
 */
final class SingleOperations {
  private final History history;
  private final Loaders loaders;
  private final Rewriting.Builder rewriting;

  private SingleOperations(History history) {
    this.history = history;
    this.loaders = new Loaders(history);
    this.rewriting = new Rewriting.Builder(history);
    rewriting.history().initialStateOf(history);
  }

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
        report = with(report, level, options.given(), again);
      }
    }
    return report;
  }

  private static Report with(Report report, Level level, Given given, Pipeline.Again again) {
    History history = report.history();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(report.verdicts());
    Verdict problem = problem(history, given);
    if (problem != null) {
      verdicts.put(level, problem);
      return new Report(
          history,
          verdicts,
          report.anomalies(),
          report.notes(),
          report.stageMillis(),
          report.inferred());
    }
    Rewriting parts = level == Level.LINEARIZABLE ? byKey(history) : byRun(history);
    Report found = again.check(parts.rewritten(), Set.of(level.ofParts()), Given.NOTHING);
    verdicts.put(level, found.verdict(level.ofParts()));
    List<Anomaly> anomalies = new ArrayList<>(report.anomalies());
    for (Anomaly anomaly : ArgumentMapper.back(parts).anomalies(found.anomalies())) {
      add(anomalies, about(anomaly, level));
    }
    List<String> notes = new ArrayList<>(report.notes());
    found.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
    return new Report(
        history,
        verdicts,
        anomalies,
        notes,
        report.stageMillis().isEmpty() ? found.stageMillis() : report.stageMillis(),
        report.inferred());
  }

  /** Why these levels cannot be decided, or null. */
  private static Verdict problem(History history, Given given) {
    if (history.uses(OpKind.Type.PREDICATE)) {
      return new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED, "predicate operations are not on single keys");
    }
    if (history.uses(OpKind.Type::isNumber) && readsOwnIncrements(history)) {
      return new Verdict.Unknown(
          Verdict.Reason.UNSUPPORTED,
          "a transaction read a counter that it had incremented, which orders nothing");
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

  private static Anomaly about(Anomaly anomaly, Level level) {
    return new Anomaly(
        anomaly.type(),
        EnumSet.of(level),
        anomaly.count(),
        anomaly.countIsLowerBound(),
        anomaly.witnesses());
  }

  private static void add(List<Anomaly> anomalies, Anomaly more) {
    for (int i = 0; i < anomalies.size(); i++) {
      if (anomalies.get(i).type() == more.type()) {
        anomalies.set(i, anomalies.get(i).and(more));
        return;
      }
    }
    anomalies.add(more);
  }

  // ---- parts of transactions

  private static Rewriting byKey(History history) {
    return isOfSingleKeys(history) && sessionsFollowTime(history)
        ? Rewriting.none(history)
        : new SingleOperations(history).byKey();
  }

  private static Rewriting byRun(History history) {
    return isOfSingleKeys(history)
        ? Rewriting.none(history)
        : new SingleOperations(history).byRun();
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

  private Rewriting byKey() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      long[] byKey = new long[history.endOp(txn) - history.firstOp(txn)];
      for (int i = 0; i < byKey.length; i++) {
        int op = history.firstOp(txn) + i;
        byKey[i] = ((long) history.key(op) << 32) | op;
      }
      Arrays.sort(byKey);
      int from = 0;
      for (int i = 1; i <= byKey.length; i++) {
        if (i == byKey.length || key(byKey[i]) != key(byKey[from])) {
          addPart(txn, sessionOf(txn, key(byKey[from])), byKey, from, i);
          from = i;
        }
      }
    }
    return rewriting.build();
  }

  private static int key(long pair) {
    return (int) (pair >> 32);
  }

  /** A session for each session and key: the order of operations on other keys does not count. */
  private List<Object> sessionOf(int txn, int key) {
    return Arrays.asList(history.sessionName(history.session(txn)), history.keys().get(key));
  }

  private Rewriting byRun() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int from = history.firstOp(txn);
      // A loader comes before all others anyway.
      boolean whole = loaders.isLoader(txn);
      for (int op = from + 1; op <= history.endOp(txn) && from < history.endOp(txn); op++) {
        boolean otherKey = op < history.endOp(txn) && history.key(op) != history.key(from);
        if (op == history.endOp(txn) || (otherKey && !whole)) {
          long[] run = new long[op - from];
          for (int i = 0; i < run.length; i++) {
            run[i] = from + i;
          }
          addPart(txn, history.sessionName(history.session(txn)), run, 0, run.length);
          from = op;
        }
      }
    }
    return rewriting.build();
  }

  private void addPart(int txn, Object session, long[] ops, int from, int to) {
    rewriting.beginPart(txn, session);
    boolean loads = true;
    for (int i = from; i < to; i++) {
      int op = (int) ops[i];
      loads &= history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
      rewriting.copy(op);
    }
    if (loads && !loaders.isLoader(txn)) {
      // A part must not be taken for a loader where its transaction is none.
      rewriting.blank((int) ops[from]);
    }
  }
}
