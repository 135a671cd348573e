package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.infer.VersionCycle;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.resolve.Given;
import dev.assay.resolve.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reports cycles of versions of one key: by assumptions ({@code cyclic-versions}) or because of a
 * certificate ({@code certificate-contradiction}). Each step of the witness is a ww edge that rests
 * on the order given by its source.
 */
public final class CyclicVersions {
  private CyclicVersions() {}

  /** One anomaly for all keys, or none. */
  public static List<Anomaly> anomalies(
      History history, Given given, AnomalyType type, List<VersionCycle> cycles, int maxWitnesses) {
    if (cycles.isEmpty()) {
      return List.of();
    }
    List<Evidence> witnesses = new ArrayList<>();
    cycles.stream()
        .sorted(Comparator.comparingInt((VersionCycle cycle) -> cycle.steps().size()))
        .limit(maxWitnesses)
        .forEach(cycle -> witnesses.add(evidence(history, given, cycle)));
    return List.of(Anomaly.of(type, cycles.size(), witnesses));
  }

  private static Evidence evidence(History history, Given given, VersionCycle cycle) {
    List<Edge> edges = new ArrayList<>();
    for (VersionCycle.Step step : cycle.steps()) {
      edges.add(edge(history, given, cycle.key(), step.from(), step.to(), step.reason()));
    }
    return Evidence.ofEdges(edges);
  }

  /** A ww edge with what it rests on; for any edge of a known version order. */
  public static Edge edge(History history, Given given, int key, int from, int to, Reason reason) {
    return new Edge(
        from,
        to,
        EdgeKind.WW,
        key,
        lastWrite(history, key, from),
        lastWrite(history, key, to),
        because(history, key, from, reason),
        given.clause(reason.source()));
  }

  private static List<Edge> because(History history, int key, int from, Reason reason) {
    return switch (reason.source()) {
      case INITIAL, VERSION_NUMBER, CERTIFICATE, TRACE, TRANSACTION_ORDER -> List.of();
      case WRITES_FOLLOW_READS -> {
        int reader = history.transactionOf(reason.earlier());
        int source = lastWrite(history, key, from);
        yield List.of(Edge.of(from, reader, EdgeKind.WR, key, source, reason.earlier()));
      }
      case READ_MODIFY_WRITE -> {
        int reader = history.transactionOf(reason.later());
        yield List.of(Edge.of(from, reader, EdgeKind.WR, key, reason.earlier(), -1));
      }
      case SEQUENTIAL_KEYS -> between(history, EdgeKind.SO, reason);
      case LINEARIZABLE_KEYS -> between(history, EdgeKind.RT, reason);
      case TIMESTAMPS -> between(history, EdgeKind.TIMESTAMP, reason);
    };
  }

  private static List<Edge> between(History history, EdgeKind kind, Reason reason) {
    int a = history.transactionOf(reason.earlier());
    int b = history.transactionOf(reason.later());
    return List.of(Edge.of(a, b, kind, -1, reason.earlier(), reason.later()));
  }

  private static int lastWrite(History history, int key, int txn) {
    return txn == Edge.INITIAL ? -1 : history.lastWrite(txn, key);
  }
}
