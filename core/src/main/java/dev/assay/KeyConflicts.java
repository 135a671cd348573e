package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Evidence;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.check.linear.SearchedKeys.Conflict;
import dev.assay.check.linear.SearchedKeys.Found;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reports keys for whose operations a search found no order. The few that are left of each are a
 * history of their own; where each read of it names its writer, the checkers of transactions say
 * what is wrong with it in the usual way. Otherwise the operations themselves are shown.
 */
final class KeyConflicts {
  private static final Verdict HOLDS =
      new Verdict.Holds("for each key some order explains every read and respects real time");

  private final History history;
  private final Pipeline.Again again;

  KeyConflicts(History history, Pipeline.Again again) {
    this.history = history;
    this.again = again;
  }

  /** A report about the other keys, and what was found about those searched. */
  Report added(Report others, Level level, Found found) {
    Report report = others;
    if (others.verdict(level) instanceof Verdict.Holds) {
      report = others.alsoAbout(level, found.open() == null ? HOLDS : found.open());
    }
    Set<AnomalyType> types = new TreeSet<>();
    List<Evidence> unexplained = new ArrayList<>();
    for (Conflict conflict : found.conflicts()) {
      List<Anomaly> known = explained(conflict, level);
      if (known.isEmpty()) {
        unexplained.add(evidence(conflict));
      }
      known.forEach(anomaly -> types.add(anomaly.type()));
      report = report.withAnomalies(known, List.of());
    }
    if (!unexplained.isEmpty()) {
      int count = found.count() - found.conflicts().size() + unexplained.size();
      types.add(AnomalyType.NON_LINEARIZABLE);
      report =
          report.withAnomalies(
              List.of(Anomaly.of(AnomalyType.NON_LINEARIZABLE, count, unexplained)), List.of());
    }
    return found.count() == 0
        ? report
        : report.alsoAbout(level, violated(others.verdict(level), types, found.count()));
  }

  private static Verdict violated(Verdict others, Set<AnomalyType> types, int keys) {
    Set<AnomalyType> all = new TreeSet<>(types);
    if (others instanceof Verdict.Violated violated) {
      all.addAll(violated.anomalies());
    }
    String why =
        keys == 1
            ? "no order of the operations on a key explains what they read"
            : "for %,d keys no order of the operations explains what they read".formatted(keys);
    return new Verdict.Violated(List.copyOf(all), why);
  }

  /** The last operation first: it is what does not fit with those before it. */
  private static Evidence evidence(Conflict conflict) {
    List<Integer> operations = new ArrayList<>(conflict.operations());
    Collections.rotate(operations, 1);
    return new Evidence(operations, List.of());
  }

  /** What the checkers of transactions find in the operations, if it rests on no choice. */
  private List<Anomaly> explained(Conflict conflict, Level level) {
    Rewriting few = few(conflict);
    Report report = again.check(few.rewritten(), Set.of(level.ofParts()), Given.NOTHING);
    boolean certain =
        report.violated(level.ofParts())
            && !report.notes().contains(ReadConsistency.ONE_CHOICE)
            && !wasWritten(conflict);
    return certain
        ? SingleOperations.about(ArgumentMapper.back(few).anomalies(report.anomalies()), level)
        : List.of();
  }

  /** Whether what was read was also written by others than the few operations have. */
  private boolean wasWritten(Conflict conflict) {
    Set<Integer> read = new HashSet<>();
    for (int op : conflict.operations()) {
      if (!history.kind(op).isWrite()) {
        read.add(history.value(op));
      }
    }
    for (int op = 0; op < history.operationCount(); op++) {
      boolean write = history.key(op) == conflict.key() && history.kind(op).isWrite();
      if (write && read.contains(history.value(op)) && !conflict.operations().contains(op)) {
        return true;
      }
    }
    return false;
  }

  private Rewriting few(Conflict conflict) {
    Rewriting.Builder builder = new Rewriting.Builder(history);
    builder.history().initialStateOf(history);
    Set<Integer> read = new HashSet<>();
    List<Integer> operations = new ArrayList<>(conflict.operations());
    Collections.sort(operations);
    int open = -1;
    for (int op : operations) {
      int txn = history.transactionOf(op);
      if (txn != open) {
        open = txn;
        builder.beginPart(txn, history.sessionName(history.session(txn)));
        // No part is taken for a loader.
        builder.blank(op);
      }
      builder.copy(op);
      if (!history.kind(op).isWrite()) {
        read.add(history.value(op));
      }
    }
    addAborted(builder, conflict.key(), read);
    return builder.build();
  }

  /** Writes that were rolled back, if they are what was read. */
  private void addAborted(Rewriting.Builder builder, int key, Set<Integer> read) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) != Outcome.ABORTED) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean seen = history.kind(op).isWrite() && read.contains(history.value(op));
        if (history.key(op) == key && seen) {
          builder.beginPart(txn, Arrays.asList((long) txn, "rolled back"));
          builder.copy(op);
        }
      }
    }
  }
}
