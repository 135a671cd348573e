package dev.assay.check.linear;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A history that is serializable exactly if the original is serializable by an order that also
 * respects {@link KeyOrder}. A step of that order becomes a key of its own, which the transaction
 * that comes first writes and the other one reads. Instants are transactions that do nothing else.
 *
 * <p>Each transaction is in a session of its own, because session order matters on single keys
 * only.
 *
 * <p>A transaction of unknown outcome must not count because such a key was read. It reads the
 * initial version of the key instead, which the instant after it overwrites.
 */
public final class OrderedKeys {
  private static final Level LEVEL = Level.SERIALIZABLE_LINEARIZABLE_KEYS;

  /** What the transaction that comes first writes. */
  private static final long WRITTEN = 1;

  /** For operations that are no steps. */
  private static final int NO_STEP = -1;

  /** For those that lead to or from instants. */
  private static final int OF_INSTANT = -2;

  /** In mapped steps, instants have numbers from here down. */
  private static final int FIRST_INSTANT = -10;

  private final History history;
  private final KeyOrder order;
  private final Rewriting.Builder builder;
  private final Loads loads;

  /** For each operation of the result the key of the step that it stands for, or a constant. */
  private final IntList stepOf = new IntList();

  /** The raw name of the first key that is added. */
  private final long firstKey;

  private boolean losesIncrements;
  private final Rewriting rewriting;

  private OrderedKeys(History history) {
    this.history = history;
    this.order = new KeyOrder(history);
    this.builder = new Rewriting.Builder(history);
    builder.history().initialStateOf(history);
    this.loads = new Loads(history);
    this.firstKey =
        unusedKeys(history, (long) history.transactionCount() + order.instants().size());
    boolean[] first = new boolean[history.transactionCount()];
    for (int i = 0; i < order.steps().size(); i++) {
      first[order.steps().from(i)] = true;
    }
    for (int i = 0; i < order.ended().size(); i++) {
      first[order.ended().from(i)] = true;
    }
    addTransactions(first);
    addInstants();
    rewriting = builder.build();
  }

  public static OrderedKeys of(History history) {
    return new OrderedKeys(history);
  }

  public History rewritten() {
    return rewriting.rewritten();
  }

  /**
   * Whether the rewritten history allows more than the original: it may not say which reads saw
   * what a transaction loaded, and the order of increments of unknown outcome is lost where they
   * are assumed to have applied without the rest of their transaction.
   */
  public boolean allowsMore() {
    return loads.areUnclear || losesIncrements;
  }

  // ---- what is written

  private void addTransactions(boolean[] first) {
    int transactions = history.transactionCount();
    Grouping steps = Grouping.of(transactions, order.steps().size(), order.steps()::to);
    Grouping began = Grouping.of(transactions, order.began().size(), order.began()::to);
    int[] leadsTo = new int[transactions];
    Arrays.fill(leadsTo, KeyOrder.NONE);
    for (int txn = 0; txn < transactions; txn++) {
      builder.beginPart(txn, (long) txn);
      // Real time matters on single keys only too; ends remain as a hint at the order.
      builder.history().start(txn, History.ABSENT);
      boolean ordered = first[txn] || steps.size(txn) + began.size(txn) > 0;
      ordered &= history.outcome(txn) == Outcome.INDETERMINATE;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        copy(op);
        losesIncrements |= ordered && history.kind(op).type().isNumber();
      }
      // Last, so that no read of the transaction comes after these.
      for (int i = steps.first(txn); i < steps.end(txn); i++) {
        int step = steps.item(i);
        int from = order.steps().from(step);
        if (leadsTo[from] != txn) {
          leadsTo[from] = txn;
          add(OpKind.READ, keyOf(from), WRITTEN, order.steps().label(step));
        }
      }
      for (int i = began.first(txn); i < began.end(txn); i++) {
        int instant = order.began().from(began.item(i));
        add(OpKind.READ, keyOfInstant(instant), WRITTEN, OF_INSTANT);
      }
      if ((first[txn] && isCertain(txn)) || loadsOnly(txn)) {
        add(OpKind.WRITE, keyOf(txn), WRITTEN, OF_INSTANT);
      } else if (first[txn]) {
        add(OpKind.READ, keyOf(txn), RawScalars.NIL, OF_INSTANT);
      }
    }
  }

  /** Whether a transaction could be taken for a loader, which it must not where it is none. */
  private boolean loadsOnly(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) != OpKind.WRITE || !history.hasInitialValue(op)) {
        return false;
      }
    }
    return isCertain(txn);
  }

  private boolean isCertain(int txn) {
    return history.outcome(txn) == Outcome.COMMITTED;
  }

  private void addInstants() {
    EdgeList ended = order.ended();
    Grouping byInstant = Grouping.of(order.instants().size(), ended.size(), ended::to);
    for (int number = 0; number < order.instants().size(); number++) {
      KeyOrder.Instant instant = order.instants().get(number);
      builder.beginOther(builder.history().session((long) history.transactionCount() + number));
      int txn = builder.history().transactionCount() - 1;
      builder.history().end(txn, instant.time());
      if (instant.before() != KeyOrder.NONE) {
        add(OpKind.READ, keyOfInstant(instant.before()), WRITTEN, OF_INSTANT);
      }
      for (int i = byInstant.first(number); i < byInstant.end(number); i++) {
        int from = ended.from(byInstant.item(i));
        add(isCertain(from) ? OpKind.READ : OpKind.WRITE, keyOf(from), WRITTEN, OF_INSTANT);
      }
      add(OpKind.WRITE, keyOfInstant(number), WRITTEN, OF_INSTANT);
    }
  }

  private void copy(int op) {
    stepOf.add(NO_STEP);
    int load = loads.of(op);
    if (load < 0) {
      builder.copy(op);
    } else {
      builder.from(op);
      builder.history().op(history.kind(op), builder.rawKey(op), loads.firstValue + load);
    }
  }

  private void add(OpKind kind, long key, long value, int step) {
    stepOf.add(step);
    builder.from(Rewriting.NO_OPERATION);
    builder.history().op(kind, key, value);
  }

  private long keyOf(int txn) {
    return firstKey + txn;
  }

  private long keyOfInstant(int instant) {
    return firstKey + history.transactionCount() + instant;
  }

  /** The first of so many integers that are no keys. */
  private static long unusedKeys(History history, long count) {
    long first = 1L << 62;
    boolean taken = true;
    while (taken) {
      taken = false;
      for (int key = 0; key < history.keys().count() && !taken; key++) {
        taken = history.keys().get(key) instanceof Long number && isAmong(number, first, count);
      }
      first -= taken ? count : 0;
    }
    return first;
  }

  private static boolean isAmong(long number, long first, long count) {
    return first <= number && number < first + count;
  }

  /**
   * What transactions loaded. Who reads or writes more than initial values is no loader, and so
   * what loaders wrote gets other values, with the reads that saw it. That is left where a read may
   * also have seen another write of the same value.
   */
  private static final class Loads {
    private final History history;
    private final ReadsFrom reads;
    private final BitSet loads = new BitSet();
    final boolean areUnclear;
    final long firstValue;

    Loads(History history) {
      this.history = history;
      Loaders loaders = new Loaders(history);
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (loaders.isLoader(txn)) {
          loads.set(history.firstOp(txn), history.endOp(txn));
        }
      }
      boolean any = !loads.isEmpty();
      this.reads = any ? ReadsFrom.of(history) : null;
      this.areUnclear = any && (leaveCandidates() | areConditions());
      this.firstValue = any ? unusedValues() : 0;
    }

    private boolean leaveCandidates() {
      int all = loads.cardinality();
      for (int read : reads.ambiguous()) {
        for (int write : reads.candidates(read)) {
          if (write >= 0 && !history.isOtherRead(read)) {
            loads.clear(write);
          }
        }
      }
      return loads.cardinality() < all;
    }

    /** Whether a condition that failed has to do with a value that was loaded. */
    private boolean areConditions() {
      BitSet keys = new BitSet();
      loads.stream().forEach(op -> keys.set(history.key(op)));
      for (int op = 0; history.hasOtherReads() && op < history.operationCount(); op++) {
        if (keys.get(history.key(op)) && history.isOtherRead(op)) {
          int excluded = history.values().excluded(history.value(op));
          if (history.isInitial(history.key(op), excluded)) {
            return true;
          }
        }
      }
      return false;
    }

    private long unusedValues() {
      long first = 1L << 62;
      boolean taken = true;
      while (taken) {
        taken = false;
        for (int op = 0; op < history.operationCount() && !taken; op++) {
          boolean integer =
              history.kind(op).type() == OpKind.Type.REGISTER
                  && history.values().isInteger(history.value(op));
          taken =
              integer
                  && isAmong(
                      history.values().asLong(history.value(op)), first, history.operationCount());
        }
        first -= taken ? history.operationCount() : 0;
      }
      return first;
    }

    /** The write of a loader that an operation is or saw, or a negative number. */
    int of(int op) {
      if (reads == null || history.kind(op).type() != OpKind.Type.REGISTER) {
        return -1;
      }
      int write = history.kind(op).isWrite() ? op : reads.source(op);
      return write >= 0 && loads.get(write) && !history.isOtherRead(op) ? write : -1;
    }
  }

  // ---- findings about the rewritten history

  /** What anomalies of the rewritten history are in the original. */
  public List<Anomaly> back(List<Anomaly> anomalies) {
    ArgumentMapper mapper = ArgumentMapper.ofParts(rewriting, this::back, this::shortened);
    Map<AnomalyType, Anomaly> found = new EnumMap<>(AnomalyType.class);
    for (Anomaly anomaly : anomalies) {
      if (anomaly.violates().contains(Level.SERIALIZABLE)) {
        add(anomaly, mapper, found);
      }
    }
    return List.copyOf(found.values());
  }

  private void add(Anomaly anomaly, ArgumentMapper mapper, Map<AnomalyType, Anomaly> found) {
    boolean same = true;
    Map<AnomalyType, List<Evidence>> mapped = new EnumMap<>(AnomalyType.class);
    for (Evidence witness : anomaly.witnesses()) {
      Evidence evidence = mapper.evidence(witness);
      AnomalyType type = type(anomaly.type(), evidence);
      same &= type == anomaly.type();
      List<Evidence> others = mapped.computeIfAbsent(type, t -> new ArrayList<>());
      Evidence refuting = evidence.refutes() == null ? evidence : evidence.refuting(LEVEL);
      if (!others.contains(refuting)) {
        others.add(refuting);
      }
    }
    long count = anomaly.count();
    boolean counted = same;
    mapped.forEach(
        (type, witnesses) ->
            found.merge(
                type,
                new Anomaly(
                    type,
                    Set.of(LEVEL),
                    counted ? count : witnesses.size(),
                    !counted || anomaly.countIsLowerBound(),
                    witnesses),
                Anomaly::and));
  }

  /** A cycle is named after its own steps and those that it rests on. */
  private static AnomalyType type(AnomalyType type, Evidence evidence) {
    return type.cycleKind() == null ? type : AnomalyType.ofCycles(Edge.cycles(evidence.edges()));
  }

  private Edge back(Edge edge, List<Edge> because) {
    int op = edge.kind() == EdgeKind.WR ? edge.toOp() : edge.fromOp();
    int key = op < 0 ? NO_STEP : stepOf.get(op);
    int from = transaction(edge.from());
    int to = transaction(edge.to());
    if (key >= 0) {
      return step(from, to, key);
    }
    return new Edge(
        from,
        to,
        edge.kind(),
        rewriting.key(edge.key()),
        rewriting.operation(edge.fromOp()),
        rewriting.operation(edge.toOp()),
        because,
        edge.premise(),
        edge.byPredicate());
  }

  private Edge step(int from, int to, int key) {
    EdgeKind kind = KeyOrder.endedBefore(history, from, to) ? EdgeKind.RT : EdgeKind.SO;
    return Edge.of(from, to, kind, key, -1, -1);
  }

  private int transaction(int rewritten) {
    int txn = rewriting.transaction(rewritten);
    return rewritten >= 0 && txn < 0
        ? FIRST_INSTANT - (rewritten - history.transactionCount())
        : txn;
  }

  private static boolean isInstant(int txn) {
    return txn <= FIRST_INSTANT;
  }

  /** With one step where the order takes several. */
  private List<Edge> shortened(List<Edge> steps) {
    List<Edge> rotated = new ArrayList<>(steps);
    int start = 0;
    while (start < steps.size() && isInstant(steps.get(start).from())) {
      start++;
    }
    Collections.rotate(rotated, -start);
    List<Edge> result = new ArrayList<>();
    int before = Edge.INITIAL;
    for (Edge step : rotated) {
      if (isInstant(step.to())) {
        before = isInstant(step.from()) ? before : step.from();
      } else if (isInstant(step.from())) {
        int key = order.instants().get(FIRST_INSTANT - step.from()).key();
        result.add(step(before, step.to(), key));
      } else {
        result.add(step);
      }
    }
    return result;
  }
}
