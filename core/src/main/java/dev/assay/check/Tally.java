package dev.assay.check;

import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Counts anomalies and keeps the smallest witnesses of each kind. The result does not depend on the
 * order in which instances are added, so that pieces found in parallel can be merged.
 */
final class Tally {
  /** A witness with what it is ordered by: few operations to read first, then file order. */
  private record Ranked(long size, int firstOp, Evidence evidence) {
    private static final Comparator<Ranked> ORDER =
        Comparator.comparingLong(Ranked::size).thenComparingInt(Ranked::firstOp);
  }

  private final History history;
  private final int maxWitnesses;
  private final long[] counts = new long[AnomalyType.values().length];
  private final List<List<Ranked>> witnesses = new ArrayList<>();

  Tally(History history, int maxWitnesses) {
    this.history = history;
    this.maxWitnesses = maxWitnesses;
    for (int i = 0; i < counts.length; i++) {
      witnesses.add(new ArrayList<>(0));
    }
  }

  boolean found(AnomalyType type) {
    return counts[type.ordinal()] > 0;
  }

  /** Adds an instance shown by these operations, the offending read first; −1 is left out. */
  void add(AnomalyType type, int... operations) {
    counts[type.ordinal()]++;
    long size = size(operations);
    List<Ranked> kept = witnesses.get(type.ordinal());
    if (kept.size() == maxWitnesses) {
      Ranked worst = kept.get(maxWitnesses - 1);
      if (size > worst.size || (size == worst.size && operations[0] >= worst.firstOp)) {
        return;
      }
    }
    List<Integer> shown = new ArrayList<>();
    for (int op : operations) {
      if (op >= 0) {
        shown.add(op);
      }
    }
    keep(kept, new Ranked(size, operations[0], new Evidence(shown, List.of())));
  }

  /** The number of operations in the transactions a person has to look at. */
  private long size(int[] operations) {
    long size = 0;
    for (int i = 0; i < operations.length; i++) {
      if (operations[i] < 0) {
        continue;
      }
      int txn = history.transactionOf(operations[i]);
      boolean seen = false;
      for (int j = 0; j < i; j++) {
        seen |= operations[j] >= 0 && history.transactionOf(operations[j]) == txn;
      }
      size += seen ? 0 : history.endOp(txn) - history.firstOp(txn);
    }
    return size;
  }

  private void keep(List<Ranked> kept, Ranked ranked) {
    kept.add(ranked);
    kept.sort(Ranked.ORDER);
    if (kept.size() > maxWitnesses) {
      kept.remove(maxWitnesses);
    }
  }

  Tally merged(Tally other) {
    Tally both = new Tally(history, maxWitnesses);
    for (int i = 0; i < counts.length; i++) {
      both.counts[i] = counts[i] + other.counts[i];
      for (Ranked ranked : witnesses.get(i)) {
        both.keep(both.witnesses.get(i), ranked);
      }
      for (Ranked ranked : other.witnesses.get(i)) {
        both.keep(both.witnesses.get(i), ranked);
      }
    }
    return both;
  }

  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    for (AnomalyType type : AnomalyType.values()) {
      if (found(type)) {
        List<Evidence> shown = new ArrayList<>();
        for (Ranked ranked : witnesses.get(type.ordinal())) {
          shown.add(ranked.evidence);
        }
        anomalies.add(Anomaly.of(type, counts[type.ordinal()], shown));
      }
    }
    return anomalies;
  }
}
