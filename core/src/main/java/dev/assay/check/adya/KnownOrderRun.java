package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LostUpdates;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.history.OpKind;
import dev.assay.infer.Dependencies;
import dev.assay.infer.PredicateDependencies;
import dev.assay.infer.PredicateDependencies.Updated;
import dev.assay.infer.VersionCycle;
import dev.assay.infer.VersionOrders;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of {@link KnownOrderChecker}. */
final class KnownOrderRun {
  private final Subject subject;
  private final Dependencies dependencies;
  private final AdyaGraph graph;
  private final Cycles cycles;

  /** The part of the graph that is looked at. */
  private Tangle tangle;

  private Conditions conditions;
  private final Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);

  KnownOrderRun(Subject subject, Dependencies dependencies) {
    this.subject = subject;
    this.dependencies = dependencies;
    this.graph = new AdyaGraph(dependencies);
    this.cycles = new Cycles(graph, subject.budget());
  }

  private void lookAt(Tangle part) {
    tangle = part;
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
    if (graph.hasPredicates()) {
      lookAt(Tangle.ofItems(graph));
      decideItems();
    }
    lookAt(Tangle.of(graph));
    if (tangle.isEmpty()) {
      holdWithoutCycles();
    } else {
      decideAll();
    }
    if (lostUpdate.isEmpty() && holds(Level.ADYA_READ_COMMITTED)) {
      hold(Level.CURSOR_STABILITY, "no update was lost and writes and reads have no cycle");
    }
    if (!tangle.isEmpty() && dependencies.orderKnown() && dependencies.readsKnown()) {
      new Completion(graph, dependencies, subject.budget(), this::isOpen, this::hold, this::violate)
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
    if (dependencies.predicates() != null) {
      addMismatches(dependencies.predicates().mismatches(), anomalies);
      addContradictions(dependencies.predicates().contradictions(), anomalies);
      dependencies
          .predicates()
          .problems()
          .forEach(problem -> notes.add("predicates are not examined in full: " + problem));
    }
    return new Findings(verdicts, anomalies, notes);
  }

  private List<Updated> updated() {
    return dependencies.predicates() == null ? List.of() : dependencies.predicates().updated();
  }

  /**
   * Who wrote a row after the version that a transaction updated, and before that transaction, is
   * visible to it by the write of the row and was not seen.
   */
  private void refuteUpdateAtomic() {
    Optional<Updated> stale = updated().stream().filter(row -> row.missed() >= 0).findFirst();
    if (stale.isPresent() && wanted(Level.UPDATE_ATOMIC)) {
      Updated row = stale.get();
      int reader = graph.history().transactionOf(row.operation());
      int writer = graph.history().transactionOf(row.missed());
      int own = graph.history().lastWrite(reader, row.key());
      violate(
          Level.UPDATE_ATOMIC,
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

  /** Whether a serial order that respects the graph explains every read, of sets in particular. */
  private boolean setsAgree() {
    if (!graph.history().uses(OpKind.Type.SET)) {
      return true;
    }
    int[] order =
        Arrays.stream(tangle.topological())
            .filter(node -> node < graph.transactions() && subject.reads().counts(node))
            .toArray();
    return SerialOrderChecker.explains(graph.history(), order);
  }

  private void decideAll() {
    for (Orders orders : Orders.values()) {
      if (orders != Orders.REAL_TIME || graph.hasRealTime()) {
        decide(orders);
      }
    }
    decidePrefix();
  }

  /** Cycles that miss only items count against all levels; repeatable read looks at no others. */
  private void decideItems() {
    if (!tangle.isEmpty()) {
      decideAll();
    }
    verdicts.values().removeIf(verdict -> verdict instanceof Verdict.Holds);
    for (Orders orders : Orders.values()) {
      boolean timed = orders != Orders.REAL_TIME || graph.hasRealTime();
      if (timed && isExact(CycleKind.G2) && !conditions.allIsCyclic(orders)) {
        hold(orders.repeatableRead(), "no cycle has anti-dependencies on items alone");
      }
    }
  }

  private void holdWithoutCycles() {
    Orders orders = graph.hasRealTime() ? Orders.REAL_TIME : Orders.SESSIONS;
    if (dependencies.orderKnown() && setsAgree()) {
      hold(orders.serializable(), KnownOrderChecker.NO_CYCLE);
    } else if (dependencies.readsKnown()) {
      hold(orders.readCommitted(), "writes and reads have no cycle");
    }
  }

  /** Looks at the kinds of cycles from the worst on; what a worse one settles needs no more. */
  private void decide(Orders orders) {
    if (wanted(orders.readUncommitted())) {
      settle(orders.readUncommitted(), conditions.writesAreCyclic(orders), CycleKind.G0, orders);
    }
    if (wanted(orders.readCommitted())) {
      settle(orders.readCommitted(), conditions.readsAreCyclic(orders), CycleKind.G1C, orders);
    }
    if (wanted(orders.consistentView())) {
      boolean exhaustive = cycles.search(CycleKind.SINGLE, orders);
      boolean cyclic =
          cycles.violate(orders.consistentView())
              || (!exhaustive && conditions.oneAntiDependencyIsCyclic(orders));
      if (!conditions.gaveUp()) {
        settle(orders.consistentView(), cyclic, CycleKind.SINGLE, orders);
      }
    }
    if (wanted(orders.snapshotIsolation())) {
      boolean cyclic = conditions.eventsAreCyclic(Events.SNAPSHOT, orders);
      settle(orders.snapshotIsolation(), cyclic, CycleKind.NONADJACENT, orders);
    }
    if (wanted(orders.serializable()) || wanted(orders.repeatableRead())) {
      boolean cyclic = conditions.allIsCyclic(orders);
      settle(orders.serializable(), cyclic, CycleKind.G2, orders);
    }
  }

  private boolean wanted(Level level) {
    return !Collections.disjoint(level.andStronger(), subject.levels());
  }

  /** Shows a cycle where there is one. */
  private void settle(Level level, boolean cyclic, CycleKind kind, Orders orders) {
    if (!cyclic) {
      boolean byWritesAndReads = kind == CycleKind.G0 || kind == CycleKind.G1C;
      if (byWritesAndReads ? dependencies.readsKnown() : isExact(kind)) {
        hold(level, "the dependencies have no cycle that it forbids");
        if (kind == CycleKind.G2) {
          hold(orders.repeatableRead(), "the dependencies have no cycle that it forbids");
        }
      }
      return;
    }
    cycles.search(kind, orders);
    if (!cycles.violate(level)) {
      cycles.findAny(kind, orders);
    }
  }

  /** Whether a condition on known edges decides, with no order left to choose. */
  private boolean isExact(CycleKind kind) {
    return dependencies.orderKnown()
        && dependencies.readsKnown()
        && (kind == CycleKind.G2 || !dependencies.hasOpenOrders());
  }

  /** The cycles that prefix forbids have no rw behind a ww either. */
  private void decidePrefix() {
    if (!wanted(Level.PREFIX)) {
      return;
    }
    if (!conditions.eventsAreCyclic(Events.PREFIX, Orders.SESSIONS)) {
      if (isExact(CycleKind.NONADJACENT)) {
        hold(Level.PREFIX, "the dependencies have no cycle that it forbids");
      }
      return;
    }
    List<AnomalyType> shownBy = List.copyOf(cycles.findPrefix());
    verdicts.put(
        Level.PREFIX, new Verdict.Violated(shownBy, "forbids this " + shownBy.get(0).title()));
  }

  private boolean isOpen(Level level) {
    return wanted(level) && !holds(level) && !cycles.violate(level) && !isViolated(level);
  }

  private boolean isViolated(Level level) {
    return verdicts.get(level) instanceof Verdict.Violated;
  }

  private boolean holds(Level level) {
    return verdicts.entrySet().stream()
        .anyMatch(e -> e.getValue() instanceof Verdict.Holds && e.getKey().implies(level));
  }

  /**
   * A condition on the graph that is met. The levels below it that are given by the graph have
   * theirs met too, also where a read violates the level itself.
   */
  private void hold(Level level, String why) {
    for (Level below : KnownOrderChecker.OWN) {
      boolean judged = !below.needsRealTime() || graph.hasAllRealTime();
      if (judged && level.implies(below) && !subject.violated().contains(below)) {
        verdicts.putIfAbsent(below, new Verdict.Holds(why));
      }
    }
  }

  private void violate(Level level, AnomalyType shownBy) {
    cycles.alsoViolate(level, shownBy);
    verdicts.put(level, new Verdict.Violated(List.of(shownBy), "forbids this " + shownBy.title()));
  }

  private void violate(Level level, Evidence evidence) {
    int[] kinds = evidence.edges().stream().mapToInt(edge -> edge.kind().bit()).toArray();
    violate(level, cycles.add(kinds, evidence));
  }
}
