package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.infer.ReadsFrom;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A history in which every operation is a transaction of its own. Operations keep their numbers, so
 * what is found there can be told in terms of the original.
 */
final class SplitOperations {
  private SplitOperations() {}

  static History split(History history, ReadsFrom reads) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(history);
    for (int session = 0; session < history.sessionCount(); session++) {
      builder.session((long) session);
    }
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Outcome outcome = reads.counts(txn) ? Outcome.COMMITTED : history.outcome(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        builder.begin(history.session(txn), outcome);
        if (isExamined(history.kind(op)) && !isAddedBefore(history, txn, op)) {
          copy.add(op);
        } else {
          copy.addNothing();
        }
      }
    }
    return builder.build();
  }

  private static boolean isExamined(OpKind kind) {
    return switch (kind.type()) {
      case REGISTER, LIST, SET -> true;
      case COUNTER, PREDICATE -> false;
    };
  }

  /** Whether a transaction adds to a set what it added to it before, which changes nothing. */
  private static boolean isAddedBefore(History history, int txn, int op) {
    for (int before = op - 1;
        history.kind(op) == OpKind.ADD && before >= history.firstOp(txn);
        before--) {
      if (history.kind(before) == OpKind.ADD
          && history.key(before) == history.key(op)
          && history.value(before) == history.value(op)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Anomalies of the split history, told of the original's transactions. The names of what is
   * fractured make no sense there: an operation has no parts.
   */
  static List<Anomaly> told(List<Anomaly> anomalies, History history) {
    Map<AnomalyType, Anomaly> told = new EnumMap<>(AnomalyType.class);
    for (Anomaly anomaly : anomalies) {
      AnomalyType type =
          switch (anomaly.type()) {
            case FRACTURED_READ_CO -> AnomalyType.CO_CONFLICT;
            case FRACTURED_READ_CM -> AnomalyType.CM_CONFLICT;
            default -> anomaly.type();
          };
      told.merge(type, told(type, anomaly, history), SplitOperations::both);
    }
    return List.copyOf(told.values());
  }

  private static Anomaly told(AnomalyType type, Anomaly anomaly, History history) {
    List<Evidence> witnesses = new ArrayList<>();
    for (Evidence evidence : anomaly.witnesses()) {
      witnesses.add(
          new Evidence(
              evidence.operations(),
              edges(evidence.edges(), history),
              Level.CAUSAL_NON_TRANSACTIONAL,
              evidence.c4()));
    }
    Set<Level> violates = Level.CAUSAL_NON_TRANSACTIONAL.andStronger();
    return new Anomaly(type, violates, anomaly.count(), anomaly.countIsLowerBound(), witnesses);
  }

  private static Anomaly both(Anomaly first, Anomaly second) {
    List<Evidence> witnesses = new ArrayList<>(first.witnesses());
    witnesses.addAll(second.witnesses());
    return new Anomaly(
        first.type(),
        first.violates(),
        first.count() + second.count(),
        first.countIsLowerBound() || second.countIsLowerBound(),
        witnesses);
  }

  private static List<Edge> edges(List<Edge> edges, History history) {
    List<Edge> told = new ArrayList<>();
    for (Edge edge : edges) {
      // The order inside a transaction is between two of its operations.
      boolean within = edge.kind() == EdgeKind.SO;
      told.add(
          new Edge(
              transaction(edge.from(), history),
              transaction(edge.to(), history),
              edge.kind(),
              edge.key() < 0 ? edge.key() : key(edge, history),
              within ? edge.from() : edge.fromOp(),
              within ? edge.to() : edge.toOp(),
              edges(edge.because(), history)));
    }
    return told;
  }

  private static int transaction(int splitTransaction, History history) {
    return splitTransaction < 0 ? splitTransaction : history.transactionOf(splitTransaction);
  }

  /** Keys may be numbered otherwise in the split history; the operations are not. */
  private static int key(Edge edge, History history) {
    return history.key(edge.toOp() >= 0 ? edge.toOp() : edge.fromOp());
  }
}
