package dev.assay.check.predicate;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.replay.SnapshotOrder;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.predicates.CommittedResults;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.Observations;
import dev.assay.infer.predicates.PredicateTable;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What predicate results prove without a complete certificate. Where they narrow down the version
 * seen they become reads ({@link Expansion}), and the solver decides the strong levels. Every order
 * that explains the results explains those reads, so a refutation is valid; an order that is found
 * is replayed to check that it explains the results too. Given version orders are respected.
 */
final class ResultsRun {
  /** The levels decided by the solver and a replay of the order found, weakest first. */
  private static final List<Level> WEAKEST_FIRST =
      Level.definedByCycles().stream()
          .filter(
              level ->
                  level.cycles() == ForbiddenCycles.NO_ADJACENT_RW
                      || level.cycles() == ForbiddenCycles.ALL)
          .toList();

  private static final Set<Level> OWN = EnumSet.copyOf(WEAKEST_FIRST);

  /** What a serial order of the items proves. */
  private static final Map<Level, Level> REPEATABLE =
      Level.sameOrders(ForbiddenCycles.ALL, ForbiddenCycles.ALL_OF_ITEMS);

  private static final Verdict ITEMS_SERIAL =
      new Verdict.Holds("an order is serial for items, and results show only what had committed");

  private static final Verdict EXPLAINED =
      new Verdict.Holds("a commit order explains every read and result");

  /** Time limit of the search for an order that respects real time, before others are tried. */
  private static final Duration TIME_IN_REAL_TIME = Duration.ofSeconds(10);

  private static final Duration TIME_IN_PART = Duration.ofSeconds(60);

  private final Subject subject;
  private final History history;
  private final PredicateTable table;
  private final Deadline deadline;

  /** The known order of versions. */
  private final EdgeList known;

  /** Whether the database's timestamps define real time. */
  private final boolean timestamped;

  private Observations observations;
  private final Set<Level> open = EnumSet.noneOf(Level.class);
  private final Ledger ledger;

  ResultsRun(Subject subject, PredicateTable table) {
    this.subject = subject;
    this.history = subject.history();
    this.ledger = new Ledger(subject.violated(), Set.of());
    this.table = table;
    this.deadline = new Deadline(subject.budget()::expired);
    this.known = subject.versions().isGiven() ? subject.versions().order() : new EdgeList();
    this.timestamped = subject.versions().given().assumes(Assumption.TIMESTAMPS);
  }

  Findings findings() {
    List<String> notes = new ArrayList<>();
    try {
      observations = new Observations(table, subject.reads(), false, deadline);
      addMismatches();
      addConflicts();
      if (observations.problems().isEmpty()) {
        decide();
        if (!observations.isComplete()) {
          notes.add("predicate results were used only where they leave few versions open");
        }
      }
      observations.problems().forEach(each -> notes.add("predicates were not examined: " + each));
    } catch (Deadline.Expired e) {
      // Earlier findings are kept.
    }
    Map<Level, Verdict> verdicts = ledger.answers();
    if (subject.versions().hasContradiction()) {
      // The order found respects only part of what was given; other checkers report the
      // contradiction.
      verdicts.values().removeIf(Verdict.Holds.class::isInstance);
    }
    return new Findings(verdicts, ledger.anomalies(), notes);
  }

  private void decide() {
    for (Level level : OWN) {
      boolean wanted = subject.levels().stream().anyMatch(asked -> asked.implies(level));
      boolean possible = !(timestamped && level.needsRealTime());
      if (wanted && possible && !ledger.isViolated(level)) {
        open.add(level);
      }
    }
    if (!open.isEmpty() && !observations.isComplete()) {
      tryLikelyOrder();
      solveInRealTime();
      open.removeIf(level -> !ledger.isOpen(level));
    }
    if (!open.isEmpty()) {
      solve();
      tryOrders();
    }
    if (subject.versions().given().certificate().isEmpty()) {
      CommittedLevels.byResults(subject, table, known, ledger);
      decideRepeatableReads();
    }
  }

  /**
   * Repeatable read constrains items, and results only in that they can be explained. It holds if
   * there is an order in which items are serial and every result shows only committed versions.
   */
  private void decideRepeatableReads() {
    Set<Level> items = EnumSet.noneOf(Level.class);
    REPEATABLE.forEach(
        (serial, repeatable) -> {
          boolean wanted = subject.levels().stream().anyMatch(asked -> repeatable.implies(asked));
          boolean timed = !repeatable.needsRealTime() || (history.hasTimes() && !timestamped);
          boolean violated = ledger.isViolated(repeatable);
          if (wanted && timed && !violated && ledger.isOpen(repeatable)) {
            items.add(serial);
          }
        });
    if (items.isEmpty()) {
      return;
    }
    // An update reads the rows that it changes as items; other results are not about items.
    List<Observations.Observation> updated =
        observations.observations().stream()
            .filter(each -> history.kind(each.operation()) == OpKind.UPDATE)
            .toList();
    Expansion expansion = new Expansion(history, updated);
    Budget budget = subject.budget().atMost(TIME_IN_PART);
    PolygraphChecker.Decided decided = decide(expansion, items, budget);
    CommittedResults results = new CommittedResults(table, subject.reads());
    Deadline end = new Deadline(budget::expired);
    decided
        .orders()
        .forEach(
            (serial, events) -> {
              if (results.explainsWithSerialItems(committing(events), end)) {
                ledger.answer(REPEATABLE.get(serial), ITEMS_SERIAL);
              }
            });
  }

  private void addMismatches() {
    List<Observations.Conflict> found = observations.mismatches();
    if (!found.isEmpty()) {
      List<Evidence> shown =
          found.stream()
              .limit(subject.budget().maxWitnesses())
              .map(conflict -> Evidence.ofOperations(conflict.operation(), conflict.other()))
              .toList();
      ledger.found(Anomaly.of(AnomalyType.RESULT_SET_MISMATCH, found.size(), shown));
    }
  }

  /**
   * One operation saw a version and another of the transaction saw the initial one: the writer
   * comes both before and after the transaction. Without an initial version the order is unknown.
   */
  private void addConflicts() {
    List<Evidence> cycles = new ArrayList<>();
    List<Evidence> others = new ArrayList<>();
    for (Observations.Conflict conflict : observations.conflicts()) {
      int source = conflict.sawInitial() ? subject.reads().source(conflict.other()) : -1;
      if (source >= 0) {
        int txn = history.transactionOf(conflict.operation());
        int writer = history.transactionOf(source);
        int key = history.key(source);
        cycles.add(
            Evidence.ofEdges(
                List.of(
                    Edge.of(writer, txn, EdgeKind.WR, key, source, conflict.other()),
                    Edge.byPredicate(
                        txn, writer, EdgeKind.RW, key, conflict.operation(), source))));
      } else {
        others.add(
            conflict.other() < 0
                ? Evidence.ofOperations(conflict.operation())
                : Evidence.ofOperations(conflict.operation(), conflict.other()));
      }
    }
    // Whichever matching version came first, it was missed and leads to the one seen.
    Set<Level> byCycles = EnumSet.copyOf(Level.CONSISTENT_VIEW.andStronger());
    byCycles.retainAll(Level.surveyed());
    add(AnomalyType.G_SINGLE, byCycles, cycles);
    add(AnomalyType.RESULT_SET_MISMATCH, OWN, others);
  }

  private void add(AnomalyType type, Set<Level> violates, List<Evidence> found) {
    if (!found.isEmpty()) {
      int shown = Math.min(found.size(), subject.budget().maxWitnesses());
      ledger.found(new Anomaly(type, violates, found.size(), false, found.subList(0, shown)));
    }
  }

  private void solve() {
    Expansion expansion = new Expansion(history, observations.observations());
    // If the observations are incomplete, a violation is found quickly or not at all.
    Budget budget =
        observations.isComplete() ? subject.budget() : subject.budget().atMost(TIME_IN_PART);
    PolygraphChecker.Decided decided = decide(expansion, open, budget);
    for (Anomaly anomaly : decided.findings().anomalies()) {
      Anomaly found = Phantoms.ofOriginal(anomaly, expansion, OWN);
      if (found != null) {
        ledger.found(found);
      }
    }
    decided
        .findings()
        .verdicts()
        .forEach(
            (level, verdict) -> {
              boolean holds = verdict instanceof Verdict.Holds;
              int[] order = REPEATABLE.containsKey(level) ? decided.orders().get(level) : null;
              boolean explained = observations.isComplete() || (order != null && explains(order));
              if (holds && explained) {
                ledger.answer(level, EXPLAINED);
              } else if (verdict instanceof Verdict.Violated) {
                ledger.answer(level, verdict);
              }
            });
  }

  private PolygraphChecker.Decided decide(Expansion expansion, Set<Level> levels, Budget budget) {
    History expanded = expansion.history();
    ReadsFrom reads = expansion.reads();
    return PolygraphChecker.decide(
        new Subject(
            expanded,
            reads,
            known.size() == 0
                ? new VersionOrders(expanded, reads, Given.NOTHING)
                : VersionOrders.known(expanded, reads, expansion.orders(known)),
            levels,
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            budget));
  }

  /**
   * Searches for orders that respect real time, in which results leave fewer versions to choose
   * from. If there is none, nothing follows for other orders, but on a real database there mostly
   * is.
   */
  private void solveInRealTime() {
    if (!history.hasTimes() || timestamped) {
      return;
    }
    Expansion expansion = null;
    for (Level level : List.of(Level.STRICT_SERIALIZABLE, Level.STRONG_SNAPSHOT_ISOLATION)) {
      boolean serial = REPEATABLE.containsKey(level);
      boolean wanted =
          open.stream()
              .anyMatch(each -> REPEATABLE.containsKey(each) == serial && ledger.isOpen(each));
      if (!wanted || subject.budget().expired()) {
        continue;
      }
      if (expansion == null) {
        Observations inRealTime = new Observations(table, subject.reads(), true, deadline);
        expansion = new Expansion(history, inRealTime.observations());
      }
      Budget own = subject.budget().atMost(TIME_IN_REAL_TIME);
      int[] order = decide(expansion, Set.of(level), own).orders().get(level);
      if (order != null
          && (serial
              ? explains(order)
              : SnapshotOrder.explains(history, order, subject.budget()))) {
        ledger.answer(level, EXPLAINED);
      }
    }
  }

  /** For few transactions, decides what the solver left open by trying all orders. */
  private void tryOrders() {
    int[] transactions = OrderTrial.transactions(history);
    if (transactions == null) {
      return;
    }
    for (Level level : WEAKEST_FIRST) {
      boolean timeless = level.needsRealTime() && !history.hasTimes();
      if (!open.contains(level) || timeless || !ledger.isOpen(level)) {
        continue;
      }
      switch (OrderTrial.of(history, level, transactions, known, subject.budget())) {
        case FOUND -> ledger.answer(level, EXPLAINED);
        case NONE -> {
          List<Integer> results =
              OrderTrial.irreconcilable(history, level, transactions, known, subject.budget());
          if (!results.isEmpty()) {
            Set<Level> violates = EnumSet.copyOf(OWN);
            violates.retainAll(level.andStronger());
            Evidence evidence = Evidence.ofOperations(results.toArray(Integer[]::new));
            ledger.found(
                new Anomaly(AnomalyType.RESULT_SET_MISMATCH, violates, 1, true, List.of(evidence)));
          }
        }
        case OPEN -> {}
      }
    }
  }

  /** Decides what the order in which transactions most likely committed proves. */
  private void tryLikelyOrder() {
    int[] order = IntStream.of(LikelyOrder.of(history)).filter(subject.reads()::counts).toArray();
    if (follows(order) && SerialOrderChecker.explains(history, order, subject.budget())) {
      Set<Level> proven = SerialOrderChecker.proven(history, order).andWeaker();
      for (Level level : OWN) {
        if (proven.contains(level) && open.remove(level)) {
          ledger.answer(level, EXPLAINED);
        }
      }
    }
  }

  /** Whether versions are written in their known order. */
  private boolean follows(int[] order) {
    int[] place = new int[history.transactionCount()];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    for (int e = 0; e < known.size(); e++) {
      if (place[known.from(e)] > place[known.to(e)]) {
        return false;
      }
    }
    return true;
  }

  /** Whether transactions run in the order of their commits give every result. */
  private boolean explains(int[] events) {
    return SerialOrderChecker.explains(history, committing(events), subject.budget());
  }

  /** The transactions in the order of their commits. */
  private static int[] committing(int[] events) {
    return IntStream.of(events)
        .filter(event -> (event & 1) == 1)
        .map(event -> event >> 1)
        .toArray();
  }
}
