package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LostUpdates;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.history.OpKind;
import dev.assay.infer.Dependencies;
import dev.assay.infer.VersionCycle;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.predicates.PredicateDependencies;
import dev.assay.infer.predicates.PredicateDependencies.Updated;
import dev.assay.level.AnomalyType;
import dev.assay.level.CycleKind;
import dev.assay.level.EdgeKind;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One run of {@link KnownOrderChecker}: builds the graph, reduces it to its cyclic part, checks the
 * condition of each level there ({@link Conditions}), finds a short cycle for each violation
 * ({@link FoundCycles}), and tries to complete unknown orders of appends ({@link Completion}).
 */
final class KnownOrderRun {
  private static final String NO_FORBIDDEN_CYCLE = "the dependencies have no cycle that it forbids";

  private final Subject subject;

  /** The levels to decide, as others are known to be violated; null for all. */
  private final Set<Level> some;

  private final Dependencies dependencies;

  /** Null if the dependencies of predicate operations are unknown. */
  private final PredicateDependencies predicates;

  private final AdyaGraph graph;
  private final FoundCycles cycles;

  /** The part of the graph being searched. */
  private CyclicSubgraph subgraph;

  private Conditions conditions;
  private final Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);

  KnownOrderRun(
      Subject subject,
      Set<Level> some,
      Dependencies dependencies,
      PredicateDependencies predicates) {
    this.subject = subject;
    this.some = some;
    this.dependencies = dependencies;
    this.predicates = predicates;
    this.graph = new AdyaGraph(dependencies, predicates);
    this.cycles = new FoundCycles(graph, subject.budget());
  }

  private void lookAt(CyclicSubgraph part) {
    subgraph = part;
    conditions = new Conditions(part, subject.budget());
    cycles.lookIn(part);
  }

  Findings run() {
    Optional<Anomaly> lostUpdate =
        new LostUpdates(
                graph.history(),
                subject.reads(),
                dependencies.lists().access(),
                key -> !dependencies.isAmbiguous(key),
                updated(),
                subject.budget().maxWitnesses())
            .anomaly();
    CyclicSubgraph all = CyclicSubgraph.of(graph);
    if (graph.hasPredicates()) {
      lookAt(all.isEmpty() ? all : CyclicSubgraph.ofItems(graph));
      decideItems();
    }
    lookAt(all);
    if (subgraph.isEmpty()) {
      holdWithoutCycles();
    } else {
      decideAll();
    }
    if (lostUpdate.isEmpty()) {
      holdWithoutLostUpdates();
    }
    if (!subgraph.isEmpty() && dependencies.orderKnown() && dependencies.readsKnown()) {
      new Completion(graph, dependencies, subject.budget(), this::isOpen, this::hold, cycles::add)
          .run();
    }
    if (lostUpdate.isEmpty()) {
      refuteUpdateAtomic();
    }
    List<Anomaly> anomalies = new ArrayList<>(cycles.anomalies());
    lostUpdate.ifPresent(anomalies::add);
    VersionOrders versions = dependencies.versions();
    addVersionCycles(AnomalyType.CYCLIC_VERSIONS, versions.registers().cycles(), anomalies);
    addVersionCycles(AnomalyType.CERTIFICATE_CONTRADICTION, versions.contradictions(), anomalies);
    List<String> notes = new ArrayList<>(versions.registers().notes());
    if (predicates != null) {
      addMismatches(predicates.mismatches(), anomalies);
      addContradictions(predicates.contradictions(), anomalies);
      predicates
          .problems()
          .forEach(problem -> notes.add("predicates were not fully examined: " + problem));
    }
    return new Findings(verdicts, anomalies, notes);
  }

  private List<Updated> updated() {
    return predicates == null ? List.of() : predicates.updated();
  }

  /**
   * If a transaction wrote a row between the version that another one updated and that update, the
   * update of the row makes it visible to the other, which missed it.
   */
  private void refuteUpdateAtomic() {
    Optional<Updated> stale = updated().stream().filter(row -> row.missed() >= 0).findFirst();
    if (stale.isPresent() && wanted(Level.UPDATE_ATOMIC)) {
      Updated row = stale.get();
      int reader = graph.history().transactionOf(row.operation());
      int writer = graph.history().transactionOf(row.missed());
      int own = graph.history().lastWrite(reader, row.key());
      cycles.add(
          Evidence.ofEdges(
              List.of(
                  Edge.of(reader, writer, EdgeKind.RW, row.key(), row.operation(), row.missed()),
                  Edge.of(writer, reader, EdgeKind.WW, row.key(), row.missed(), own))));
    }
  }

  private void addMismatches(List<PredicateDependencies.Mismatch> found, List<Anomaly> anomalies) {
    if (found.isEmpty()) {
      return;
    }
    List<Evidence> witnesses =
        found.stream().limit(subject.budget().maxWitnesses()).map(KnownOrderRun::shown).toList();
    anomalies.add(Anomaly.of(AnomalyType.RESULT_SET_MISMATCH, found.size(), witnesses));
  }

  private void addContradictions(List<Integer> found, List<Anomaly> anomalies) {
    if (!found.isEmpty()) {
      List<Evidence> witnesses =
          found.stream()
              .limit(subject.budget().maxWitnesses())
              .map(operation -> Evidence.ofOperations(operation))
              .toList();
      anomalies.add(Anomaly.of(AnomalyType.CERTIFICATE_CONTRADICTION, found.size(), witnesses));
    }
  }

  private static Evidence shown(PredicateDependencies.Mismatch mismatch) {
    return mismatch.write() < 0
        ? Evidence.ofOperations(mismatch.operation())
        : Evidence.ofOperations(mismatch.operation(), mismatch.write());
  }

  private void addVersionCycles(
      AnomalyType type, List<VersionCycle> found, List<Anomaly> anomalies) {
    anomalies.addAll(
        CyclicVersions.anomalies(
            graph.history(),
            subject.versions().given(),
            type,
            found,
            subject.budget().maxWitnesses()));
  }

  /** Whether a serial order that respects the graph explains every read, of items in particular. */
  private boolean itemsAgree() {
    if (!graph.history().uses(OpKind.Type::hasItems)) {
      return true;
    }
    int[] order =
        Arrays.stream(subgraph.topological())
            .filter(node -> node < graph.transactions() && subject.reads().counts(node))
            .toArray();
    return SerialOrderChecker.explains(graph.history(), order, subject.budget());
  }

  private void decideAll() {
    for (Orders orders : Orders.values()) {
      if (orders != Orders.REAL_TIME || graph.hasRealTime()) {
        decide(orders);
      }
    }
    forEachWanted(ForbiddenCycles.NO_RW_AFTER_WW_OR_RW, this::decidePrefix);
  }

  /** Decides cycles with anti-dependencies on items only; predicates affect no other condition. */
  private void decideItems() {
    if (!subgraph.isEmpty()) {
      decideAll();
    }
    verdicts.values().removeIf(verdict -> verdict instanceof Verdict.Holds);
    forEachWanted(
        ForbiddenCycles.ALL_OF_ITEMS,
        level -> {
          if (isExact(CycleKind.G2) && !conditions.areCyclic(CycleKind.G2, level.orders())) {
            hold(level, "no cycle has anti-dependencies on items alone");
          }
        });
  }

  private void holdWithoutCycles() {
    Orders orders = graph.hasRealTime() ? Orders.REAL_TIME : Orders.SESSIONS;
    if (dependencies.orderKnown() && itemsAgree()) {
      Level.find(ForbiddenCycles.ALL, orders)
          .ifPresent(level -> hold(level, KnownOrderChecker.NO_CYCLE));
    } else if (dependencies.readsKnown()) {
      Level.find(ForbiddenCycles.FLOW, orders)
          .ifPresent(level -> hold(level, "writes and reads have no cycle"));
    }
  }

  private void holdWithoutLostUpdates() {
    forEachWanted(
        ForbiddenCycles.FLOW_AND_LOST_UPDATES,
        level -> {
          if (Level.find(ForbiddenCycles.FLOW, level.orders()).filter(this::holds).isPresent()) {
            hold(level, "no update was lost and writes and reads have no cycle");
          }
        });
  }

  /** Visits the levels that forbid such cycles and were requested. */
  private void forEachWanted(ForbiddenCycles forbidden, Consumer<Level> visitor) {
    for (Orders orders : Orders.values()) {
      if (orders != Orders.REAL_TIME || graph.hasRealTime()) {
        Level.find(forbidden, orders).filter(this::wanted).ifPresent(visitor);
      }
    }
  }

  /** Decides the kinds of cycles from the worst on; a worse one settles the others. */
  private void decide(Orders orders) {
    for (Level level : Level.definedByCycles()) {
      if (level.orders() == orders && wanted(level)) {
        decide(level);
      }
    }
  }

  private void decide(Level level) {
    Orders orders = level.orders();
    switch (level.cycles()) {
      case WRITES, FLOW -> settle(level, conditions.areCyclic(level.cycles().kind(), orders));
      case AT_MOST_ONE_RW -> {
        boolean exhaustive = cycles.search(CycleKind.SINGLE, orders, isViolated(level));
        if (isViolated(level) && !(exhaustive && !cycles.violate(level))) {
          return;
        }
        boolean cyclic =
            cycles.violate(level) || (!exhaustive && conditions.oneAntiDependencyIsCyclic(orders));
        if (!conditions.gaveUp()) {
          settle(level, cyclic);
        }
      }
      case NO_ADJACENT_RW -> settle(level, conditions.eventsAreCyclic(Events.SNAPSHOT, orders));
      case ALL_OF_ITEMS -> {
        // Wanted whenever the level that forbids all cycles is, and equal to it without predicates.
        Level all = Level.find(ForbiddenCycles.ALL, orders).orElse(level);
        settle(all, conditions.areCyclic(CycleKind.G2, orders));
      }
      default -> {
        // The other conditions are decided after all of these.
      }
    }
  }

  private boolean wanted(Level level) {
    return !Collections.disjoint(level.andStronger(), subject.levels());
  }

  /**
   * Whether a level is known to be violated, and so are all that the cycles which it forbids may
   * violate.
   */
  private boolean isViolated(Level level) {
    return some != null
        && Collections.disjoint(level.andStronger(), some)
        && (level.cycles().kind() != CycleKind.SINGLE
            || some.stream()
                .noneMatch(other -> other.cycles() == ForbiddenCycles.ONE_RW_AGAINST_ONE_EDGE));
  }

  /** Records a cycle if there is one. */
  private void settle(Level level, boolean cyclic) {
    CycleKind kind = level.cycles().kind();
    if (!cyclic) {
      boolean byWritesAndReads = kind == CycleKind.G0 || kind == CycleKind.G1C;
      if (byWritesAndReads ? dependencies.readsKnown() : isExact(kind)) {
        hold(level, NO_FORBIDDEN_CYCLE);
      }
      return;
    }
    cycles.search(kind, level.orders(), isViolated(level));
    if (!cycles.violate(level) && !isViolated(level)) {
      cycles.findAny(kind, level.orders());
    }
  }

  /** Whether a condition on the known edges decides, because no order is left to choose. */
  private boolean isExact(CycleKind kind) {
    return dependencies.orderKnown()
        && dependencies.readsKnown()
        && (kind == CycleKind.G2 || !dependencies.hasOpenOrders());
  }

  private void decidePrefix(Level level) {
    if (conditions.eventsAreCyclic(Events.PREFIX, level.orders())) {
      cycles.findPrefix(level.orders());
    } else if (isExact(CycleKind.NONADJACENT)) {
      hold(level, NO_FORBIDDEN_CYCLE);
    }
  }

  private boolean isOpen(Level level) {
    return wanted(level) && !holds(level) && !cycles.violate(level);
  }

  private boolean holds(Level level) {
    return Ledger.holds(verdicts, level);
  }

  /**
   * Records that a level's condition on the graph is met. The weaker levels defined by the graph
   * meet theirs too, even if a read violates the level itself.
   */
  private void hold(Level level, String why) {
    for (Level below : Level.definedByCycles()) {
      boolean judged = !below.needsRealTime() || graph.hasRealTime();
      if (judged && level.implies(below) && !subject.violated().contains(below)) {
        verdicts.putIfAbsent(below, new Verdict.Holds(why));
      }
    }
  }
}
