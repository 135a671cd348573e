package dev.assay.proof;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.proof.Facts.Read;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Finds arguments against levels in a history whose values were written once. */
final class Arguments {
  /** Histories of no more transactions are searched as a whole if witnesses do not suffice. */
  private static final int FEW = 150;

  private static final int FEW_WITH_COUNTERS = 40;

  /** The largest number of pairs that are tried where there are counters. */
  private static final int MOST_TRIED = 20_000;

  /** The largest number of transactions that are searched for an argument. */
  private static final int MANY = 1_000;

  private static final Set<AnomalyType> OF_READS =
      EnumSet.of(
          AnomalyType.THIN_AIR_READ,
          AnomalyType.ABORTED_READ,
          AnomalyType.FUTURE_READ,
          AnomalyType.NOT_MY_OWN_WRITE,
          AnomalyType.NOT_MY_LAST_WRITE,
          AnomalyType.INTERMEDIATE_READ,
          AnomalyType.NON_REPEATABLE_READ,
          AnomalyType.DIRTY_UPDATE,
          AnomalyType.DUPLICATE_WRITE,
          AnomalyType.INCOMPATIBLE_ORDER,
          AnomalyType.LOST_WRITE);

  /** Those that are about the transaction that wrote what was read. */
  private static final Set<AnomalyType> OF_WRITERS =
      EnumSet.of(AnomalyType.ABORTED_READ, AnomalyType.FUTURE_READ, AnomalyType.INTERMEDIATE_READ);

  /** Those that are seen in one operation. */
  private static final Set<AnomalyType> IN_OPERATIONS =
      EnumSet.of(
          AnomalyType.THIN_AIR_READ,
          AnomalyType.ABORTED_READ,
          AnomalyType.DIRTY_UPDATE,
          AnomalyType.DUPLICATE_WRITE);

  private final Report report;
  private final History history;
  private final GivenOrders given;
  private final int[][] sources;

  /**
   * Reads of which it depends on what is chosen whether they saw a write that they must not see.
   */
  private final Set<Integer> open;

  private final Facts facts;
  private final boolean counters;
  private final Budget budget;
  private Facts operations;

  /**
   * For the levels that a report says are violated.
   *
   * @param history the one of the report, with the outcomes that are given
   */
  Arguments(Report report, History history, GivenOrders given, Sources sources, Budget budget) {
    this(report, history, given, sources.chosen(Map.of()), Set.of(), budget);
  }

  /** The same with chosen writes behind the reads. */
  Arguments(
      Report report,
      History history,
      GivenOrders given,
      int[][] sources,
      Set<Integer> open,
      Budget budget) {
    this.report = report;
    this.open = open;
    this.history = history;
    this.given = given;
    this.sources = sources;
    this.budget = budget;
    this.facts = new Facts(history, given, sources, false);
    this.counters = history.uses(OpKind.Type::isNumber);
  }

  /** An argument against a level that is violated, or null if none was found. */
  Argument against(Level level) {
    if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
      Argument found = ofRead(level, IN_OPERATIONS);
      found = found == null ? ofWitnesses(level, true) : found;
      return found == null ? ofRead(level, EnumSet.of(AnomalyType.INCOMPATIBLE_ORDER)) : found;
    }
    Argument found = ofRead(level, OF_READS);
    if (found == null && level.cycles() == ForbiddenCycles.FLOW_AND_LOST_UPDATES) {
      found = lostUpdate();
    }
    return found == null ? ofCycle(level) : found;
  }

  /** An argument by cycles of transactions, or null. */
  Argument ofCycle(Level level) {
    Argument replayed = level.implies(Level.SERIALIZABLE) ? replay() : null;
    if (replayed != null) {
      return replayed;
    }
    Level shown = Rule.ofCycles(level);
    boolean ordered = shown.cycles() != null || level.axiom() != null || level == Level.MIXED;
    return ordered ? ofWitnesses(level, false) : null;
  }

  /** That the serialization order that is given does not explain all reads, or null. */
  private Argument replay() {
    int[] order = given.order();
    if (order.length == 0 || order.length > MANY) {
      return null;
    }
    List<Graph.Edge> cycle = new Graph(facts, txn -> Rule.REPLAY, order).cycle();
    return cycle == null ? null : new Argument.Replay(cycle);
  }

  /** An argument by an acknowledged write that a final read lacks, or null. */
  Argument ofLostWrite(Level level) {
    return ofRead(level, EnumSet.of(AnomalyType.LOST_WRITE));
  }

  private boolean concerns(Anomaly anomaly, Level level) {
    return anomaly.violates().stream().anyMatch(level::implies);
  }

  private Argument ofRead(Level level, Set<AnomalyType> types) {
    for (Anomaly anomaly : report.anomalies()) {
      for (Evidence evidence :
          types.contains(anomaly.type()) ? anomaly.witnesses() : List.<Evidence>of()) {
        boolean single = evidence.edges().isEmpty() && !evidence.operations().isEmpty();
        // What reads of counters saw is a matter of sums.
        single &= !isSum(evidence) || anomaly.type() == AnomalyType.NON_REPEATABLE_READ;
        boolean depends =
            single
                && OF_WRITERS.contains(anomaly.type())
                && open.contains(evidence.operations().get(0));
        if (single && !depends && forbids(level, anomaly.type(), evidence.operations().get(0))) {
          return new Argument.OfRead(anomaly.type().id(), evidence.operations().get(0));
        }
      }
    }
    return null;
  }

  private boolean isSum(Evidence evidence) {
    return !evidence.operations().isEmpty()
        && history.kind(evidence.operations().get(0)).type().isNumber();
  }

  private boolean forbids(Level level, AnomalyType type, int op) {
    Level own = level == Level.MIXED ? Rule.promised(history, history.transactionOf(op)) : level;
    return type.forbiddenBy().contains(Rule.ofCycles(own));
  }

  private Argument lostUpdate() {
    record Version(int key, int writer) {}
    Map<Version, Read> updates = new HashMap<>();
    for (int txn = 0; txn < facts.size; txn++) {
      for (Read read : facts.readsBy(txn)) {
        if (facts.isUpdate(read)) {
          Read other = updates.putIfAbsent(new Version(read.key(), read.writer()), read);
          if (other != null && other.reader() != read.reader()) {
            return new Argument.OfRead(AnomalyType.LOST_UPDATE.id(), read.op());
          }
        }
      }
    }
    return null;
  }

  /** An argument about the transactions of a witness, or else about all. */
  private Argument ofWitnesses(Level level, boolean split) {
    BitSet tried = new BitSet();
    for (Anomaly anomaly : report.anomalies()) {
      for (Evidence evidence :
          concerns(anomaly, level) ? anomaly.witnesses() : List.<Evidence>of()) {
        BitSet some = transactions(evidence);
        if (!some.equals(tried) && !some.isEmpty()) {
          tried = some;
          Argument found = about(level, some, split);
          if (found != null) {
            return found;
          }
        }
      }
    }
    BitSet all = new BitSet();
    all.set(0, history.transactionCount());
    int few = counters ? FEW_WITH_COUNTERS : FEW;
    return history.transactionCount() <= few ? about(level, all, split) : null;
  }

  /** The transactions of a witness, with those they read from. */
  private BitSet transactions(Evidence evidence) {
    BitSet some = new BitSet();
    Edge.forEachReason(
        evidence.edges(),
        edge -> {
          IntStream.of(edge.from(), edge.to()).filter(txn -> txn >= 0).forEach(some::set);
        });
    evidence.operations().forEach(op -> some.set(history.transactionOf(op)));
    evidence.shownBy().forEach(op -> some.set(history.transactionOf(op)));
    for (int txn : some.stream().toArray()) {
      facts.readsBy(txn).stream()
          .filter(read -> read.writer() >= 0 && !facts.isMaker(read.writer()))
          .forEach(read -> some.set(read.writer()));
    }
    return some;
  }

  private Argument about(Level level, BitSet transactions, boolean split) {
    Facts all = split ? operations() : facts;
    IntStream some =
        split
            ? IntStream.range(0, history.operationCount())
                .filter(op -> transactions.get(history.transactionOf(op)))
            : transactions.stream();
    int[] members = some.filter(all::counts).toArray();
    if (members.length > MANY) {
      return null;
    }
    IntFunction<Rule> rules = Rule.of(level, all);
    int[] nodes = counters ? withMakers(members, all, rules) : members;
    Prover.Result result = new Prover(new Graph(all, rules, nodes), over()).run();
    return result.steps() == null ? null : new Argument.Steps(result.steps());
  }

  /** Where there are counters, the order of each increment and each read is a question. */
  private BooleanSupplier over() {
    int[] tried = new int[1];
    return () -> budget.expired() || (counters && tried[0]++ > MOST_TRIED);
  }

  private static int[] withMakers(int[] members, Facts facts, IntFunction<Rule> rules) {
    IntStream makers =
        Arrays.stream(members)
            .filter(txn -> rules.apply(txn).reads())
            .mapToObj(facts::readsBy)
            .flatMap(List::stream)
            .mapToInt(Read::writer)
            .filter(facts::isMaker);
    return IntStream.concat(Arrays.stream(members), makers).toArray();
  }

  private Facts operations() {
    if (operations == null) {
      operations = new Facts(history, given, sources, true);
    }
    return operations;
  }
}
