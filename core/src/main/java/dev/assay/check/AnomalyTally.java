package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.type.ReadAnomalies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts anomalies and keeps the smallest witnesses of each kind. The result does not depend on the
 * order in which instances are added, so that pieces found in parallel can be merged.
 */
final class AnomalyTally implements ReadAnomalies {
  /** A witness and its sort key: the number of operations to read, then file order. */
  private record Ranked(long size, int firstOp, Evidence evidence) {
    private static final Comparator<Ranked> ORDER =
        Comparator.comparingLong(Ranked::size).thenComparingInt(Ranked::firstOp);
  }

  private final History history;
  private final int maxWitnesses;
  private final long[] counts = new long[AnomalyType.values().length];
  private final Map<AnomalyType, List<Ranked>> witnesses = new EnumMap<>(AnomalyType.class);

  /** Instances that are another anomaly under another choice of writers; null if there are none. */
  private AnomalyTally either;

  /** In {@link #either}, the levels that forbid both. */
  private final Map<AnomalyType, Set<Level>> forbidden = new EnumMap<>(AnomalyType.class);

  private final Filter filter;

  /** Selects anomalies by the transaction whose read shows them. */
  interface Filter {
    Filter ALL =
        new Filter() {
          @Override
          public boolean takes(AnomalyType type, int txn) {
            return true;
          }

          @Override
          public boolean takesEither(AnomalyType type, Set<AnomalyType> others, int txn) {
            return true;
          }
        };

    boolean takes(AnomalyType type, int txn);

    /** The same for one that is of another type under another choice of writers. */
    boolean takesEither(AnomalyType type, Set<AnomalyType> others, int txn);
  }

  AnomalyTally(History history, int maxWitnesses) {
    this(history, maxWitnesses, Filter.ALL);
  }

  AnomalyTally(History history, int maxWitnesses, Filter filter) {
    this.history = history;
    this.maxWitnesses = maxWitnesses;
    this.filter = filter;
  }

  boolean found(AnomalyType type) {
    return counts[type.ordinal()] > 0;
  }

  /** Whether there is an instance, at least under some choice of writers. */
  boolean mayHave(AnomalyType type) {
    return found(type) || (either != null && either.found(type));
  }

  @Override
  public void addEither(AnomalyType type, Set<AnomalyType> others, int... operations) {
    if (filter != Filter.ALL
        && !filter.takesEither(type, others, history.transactionOf(operations[0]))) {
      return;
    }
    if (either == null) {
      either = new AnomalyTally(history, maxWitnesses);
    }
    either.add(type, operations);
    Set<Level> all = EnumSet.copyOf(type.forbiddenBy());
    others.forEach(other -> all.retainAll(other.forbiddenBy()));
    either.forbidden.computeIfAbsent(type, t -> EnumSet.noneOf(Level.class)).addAll(all);
  }

  @Override
  public void add(AnomalyType type, int... operations) {
    if (filter != Filter.ALL && !filter.takes(type, history.transactionOf(operations[0]))) {
      return;
    }
    counts[type.ordinal()]++;
    long size = size(operations);
    List<Ranked> kept = kept(type);
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
    String c4 =
        type == AnomalyType.NOT_MY_OWN_WRITE && sawOwnBefore(operations[0], operations[1])
            ? type.c4() + ", " + AnomalyType.NON_REPEATABLE_READ.c4()
            : null;
    keep(kept, new Ranked(size, operations[0], new Evidence(shown, List.of(), null, c4)));
  }

  /**
   * Whether the transaction read its own write before it missed it, which C4 counts as a
   * non-repeatable read.
   */
  private boolean sawOwnBefore(int read, int own) {
    for (int op = own + 1; op < read; op++) {
      boolean known = !history.kind(op).isWrite() && history.value(op) != Values.UNKNOWN;
      if (known && history.key(op) == history.key(own) && shows(op, history.value(own))) {
        return true;
      }
    }
    return false;
  }

  private boolean shows(int read, int value) {
    if (!history.kind(read).readsSequence()) {
      return history.value(read) == value;
    }
    Sequences sequences = history.sequences();
    int sequence = history.value(read);
    for (int i = 0; i < sequences.length(sequence); i++) {
      if (sequences.element(sequence, i) == value) {
        return true;
      }
    }
    return false;
  }

  /** The number of operations in the transactions that a reader of the report has to look at. */
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

  private List<Ranked> kept(AnomalyType type) {
    return witnesses.computeIfAbsent(type, t -> new ArrayList<>());
  }

  private void keep(List<Ranked> kept, Ranked ranked) {
    kept.add(ranked);
    kept.sort(Ranked.ORDER);
    if (kept.size() > maxWitnesses) {
      kept.remove(maxWitnesses);
    }
  }

  /** The same instances, which under another choice of writers are one of some other anomalies. */
  AnomalyTally orElse(Set<AnomalyType> others) {
    AnomalyTally all = either == null ? new AnomalyTally(history, maxWitnesses) : either;
    AnomalyTally own = new AnomalyTally(history, maxWitnesses);
    witnesses.forEach((type, found) -> own.kept(type).addAll(found));
    System.arraycopy(counts, 0, own.counts, 0, counts.length);
    for (AnomalyType type : witnesses.keySet()) {
      own.forbidden.put(type, EnumSet.copyOf(type.forbiddenBy()));
    }
    AnomalyTally result = new AnomalyTally(history, maxWitnesses);
    result.either = own.merged(all);
    for (Set<Level> levels : result.either.forbidden.values()) {
      others.forEach(other -> levels.retainAll(other.forbiddenBy()));
    }
    return result;
  }

  AnomalyTally merged(AnomalyTally other) {
    AnomalyTally both = new AnomalyTally(history, maxWitnesses);
    for (int i = 0; i < counts.length; i++) {
      both.counts[i] = counts[i] + other.counts[i];
    }
    for (AnomalyTally one : List.of(this, other)) {
      one.witnesses.forEach(
          (type, found) -> found.forEach(ranked -> both.keep(both.kept(type), ranked)));
      one.forbidden.forEach(
          (type, levels) ->
              both.forbidden
                  .computeIfAbsent(type, t -> EnumSet.noneOf(Level.class))
                  .addAll(levels));
    }
    both.either =
        either == null || other.either == null
            ? (either == null ? other.either : either)
            : either.merged(other.either);
    return both;
  }

  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    for (AnomalyType type : AnomalyType.values()) {
      if (found(type)) {
        anomalies.add(anomaly(type, type.forbiddenBy()));
      } else if (mayHave(type)) {
        anomalies.add(either.anomaly(type, either.forbidden.get(type)));
      }
    }
    return anomalies;
  }

  private Anomaly anomaly(AnomalyType type, Set<Level> violates) {
    List<Evidence> shown = witnesses.get(type).stream().map(Ranked::evidence).toList();
    return new Anomaly(type, violates, counts[type.ordinal()], false, shown);
  }
}
