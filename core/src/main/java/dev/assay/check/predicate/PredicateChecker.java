package dev.assay.check.predicate;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.replay.SnapshotOrder;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Assumption;
import dev.assay.infer.Given;
import dev.assay.infer.PredicateSight;
import dev.assay.infer.PredicateTable;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds phantoms on any database: decides the levels at which a transaction sees one version of
 * each key by taking what predicate results tell for reads, and asking the solver of strong levels.
 * Every order that explains the results explains those reads, so what is refuted is refuted; an
 * order that is found is run to see whether it explains the results too.
 */
public final class PredicateChecker implements LevelChecker {
  private static final Set<Level> OWN =
      EnumSet.of(
          Level.STRICT_SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.SERIALIZABLE,
          Level.STRONG_SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.SNAPSHOT_ISOLATION);

  private static final List<Level> WEAKEST_FIRST =
      List.of(
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.STRONG_SNAPSHOT_ISOLATION,
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.STRICT_SERIALIZABLE);

  private static final Verdict EXPLAINED =
      new Verdict.Holds("a commit order explains every read and result");

  /** An order that keeps to real time is found soon, or there is none and others are asked. */
  private static final Duration TIME_IN_REAL_TIME = Duration.ofSeconds(10);

  private static final Duration TIME_IN_PART = Duration.ofSeconds(60);

  private static final Set<Level> SERIAL =
      EnumSet.of(Level.STRICT_SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE, Level.SERIALIZABLE);

  /** By what an order of commits respects: what it then proves of read committed. */
  private static final Map<Level, Level> COMMITTED =
      Map.of(
          Level.STRICT_SERIALIZABLE, Level.STRONG_ADYA_READ_COMMITTED,
          Level.STRONG_SESSION_SERIALIZABLE, Level.STRONG_SESSION_ADYA_READ_COMMITTED,
          Level.SERIALIZABLE, Level.ADYA_READ_COMMITTED);

  private static final Verdict COMMITTED_BEFORE =
      new Verdict.Holds("all that was seen was committed before, in one order of commits");

  private static final Verdict COMMITTED_BEFORE_AS_CERTIFIED =
      new Verdict.Holds(
          "all that was seen was committed before, in an order of commits that agrees with the"
              + " certificate");

  private static final Verdict WRITTEN_IN_SESSION_ORDER =
      new Verdict.Holds("versions may follow each other as transactions do in their sessions");

  @Override
  public String name() {
    return "predicates";
  }

  @Override
  public Findings check(Subject subject) {
    if (!subject.history().uses(OpKind.Type.PREDICATE)) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    VersionCertificate certificate = subject.versions().given().certificate();
    if (certificate.isEmpty()) {
      return byResults(subject);
    }
    Findings certified = withCertificate(subject);
    boolean saysAll = certificate.order().length > 0 || subject.versions().tellWhatPredicatesSaw();
    return saysAll ? certified : withResults(subject, certified);
  }

  /** What results tell, over orders of versions as far as these are given. */
  private static Findings byResults(Subject subject) {
    EdgeList known = subject.versions().isGiven() ? subject.versions().order() : new EdgeList();
    PredicateTable table = new PredicateTable(subject.history(), subject.reads());
    PredicateSight sight = new PredicateSight(table, subject.reads());
    List<String> notes = new ArrayList<>();
    sight.problems().forEach(problem -> notes.add("predicates are not examined: " + problem));
    if (sight.problems().isEmpty() && !sight.isComplete()) {
      notes.add("predicate results were used as far as they leave few versions to choose from");
    }
    List<Anomaly> anomalies = new ArrayList<>();
    addMismatches(subject, sight, anomalies);
    addConflicts(subject, sight, anomalies);
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    Set<Level> open = EnumSet.noneOf(Level.class);
    for (Level level : OWN) {
      boolean wanted = subject.levels().stream().anyMatch(asked -> asked.implies(level));
      if (wanted && !isViolated(level, subject, anomalies)) {
        open.add(level);
      }
    }
    if (isTimestamped(subject)) {
      // Real time is then what the database's timestamps say.
      open.removeIf(Level::needsRealTime);
    }
    if (!open.isEmpty() && sight.problems().isEmpty() && !sight.isComplete()) {
      tryLikelyOrder(subject, known, open, verdicts);
      solveInRealTime(subject, known, table, open, verdicts, anomalies);
      open.removeIf(level -> isDecided(level, verdicts, anomalies));
    }
    if (!open.isEmpty() && sight.problems().isEmpty()) {
      solve(subject, known, sight, open, verdicts, anomalies);
      tryOrders(subject, known, open, verdicts, anomalies);
    }
    if (sight.problems().isEmpty() && subject.versions().given().certificate().isEmpty()) {
      tryCommittedResults(subject, known, table, verdicts, anomalies);
    }
    return new Findings(verdicts, anomalies, notes);
  }

  private static boolean isTimestamped(Subject subject) {
    return subject.versions().given().assumes(Assumption.TIMESTAMPS);
  }

  /**
   * What a certificate that says too little proves together with the results. That they can be
   * explained proves nothing where it says what some operations looked at, because an order that
   * explains them need not agree with that.
   */
  private static Findings withResults(Subject subject, Findings certified) {
    Findings found = byResults(subject);
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(found.verdicts());
    if (subject.versions().given().certificate().hasVersionSets()) {
      verdicts.values().removeIf(Verdict.Holds.class::isInstance);
    }
    certified.verdicts().forEach(verdicts::putIfAbsent);
    return new Findings(verdicts, found.anomalies(), found.notes());
  }

  /**
   * What a certificate says about versions is for others. Where it leaves open what some predicate
   * operations looked at, as those of databases at read committed do, this is.
   */
  private static Findings withCertificate(Subject subject) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    EdgeList before = subject.versions().certifiedBefore();
    if (before != null && asksForCommittedResults(subject)) {
      PredicateTable table = new PredicateTable(subject.history(), subject.reads());
      tryCommittedOrder(subject, table, before, COMMITTED_BEFORE_AS_CERTIFIED, verdicts, List.of());
    }
    return new Findings(verdicts, List.of(), List.of());
  }

  /** Decides read committed by a likely order of commits, and what asks for less. */
  private static void tryCommittedResults(
      Subject subject,
      EdgeList known,
      PredicateTable table,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    if (!asksForCommittedResults(subject)) {
      return;
    }
    boolean free = known.size() == 0;
    if (free && !isViolated(Level.STRONG_SESSION_READ_UNCOMMITTED, subject, anomalies)) {
      verdicts.put(Level.STRONG_SESSION_READ_UNCOMMITTED, WRITTEN_IN_SESSION_ORDER);
    }
    tryCommittedOrder(subject, table, known, COMMITTED_BEFORE, verdicts, anomalies);
  }

  private static boolean asksForCommittedResults(Subject subject) {
    History history = subject.history();
    boolean others =
        history.uses(OpKind.Type.LIST)
            || history.uses(OpKind.Type.SET)
            || history.uses(OpKind.Type.COUNTER);
    return !others && subject.levels().stream().anyMatch(Level.STRONG_ADYA_READ_COMMITTED::implies);
  }

  private static void tryCommittedOrder(
      Subject subject,
      PredicateTable table,
      EdgeList given,
      Verdict verdict,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    if (isViolated(Level.ADYA_READ_COMMITTED, subject, anomalies)) {
      return;
    }
    History history = subject.history();
    int[] order = CommittedOrder.of(history, table, subject.reads(), given, subject.budget());
    Level proven = order == null ? null : COMMITTED.get(proven(subject, order));
    if (proven != null && !isViolated(proven, subject, anomalies)) {
      verdicts.put(proven, verdict);
    }
  }

  /** The strongest level that an order proves. */
  private static Level proven(Subject subject, int[] order) {
    Level proven = SerialOrderChecker.proven(subject.history(), order);
    return proven.needsRealTime() && isTimestamped(subject)
        ? Level.STRONG_SESSION_SERIALIZABLE
        : proven;
  }

  private static boolean isViolated(Level level, Subject subject, List<Anomaly> anomalies) {
    return subject.violated().contains(level)
        || anomalies.stream().anyMatch(anomaly -> anomaly.violates().contains(level));
  }

  private static void addMismatches(
      Subject subject, PredicateSight sight, List<Anomaly> anomalies) {
    List<PredicateSight.Conflict> found = sight.mismatches();
    if (!found.isEmpty()) {
      List<Evidence> shown =
          found.stream()
              .limit(subject.budget().maxWitnesses())
              .map(conflict -> Evidence.ofOperations(conflict.operation(), conflict.other()))
              .toList();
      anomalies.add(Anomaly.of(AnomalyType.RESULT_SET_MISMATCH, found.size(), shown));
    }
  }

  /**
   * What one operation saw another missed, which saw the initial version: the writer comes before
   * and after the transaction. Otherwise who comes when is not told.
   */
  private static void addConflicts(Subject subject, PredicateSight sight, List<Anomaly> anomalies) {
    History history = subject.history();
    List<Evidence> cycles = new ArrayList<>();
    List<Evidence> others = new ArrayList<>();
    for (PredicateSight.Conflict conflict : sight.conflicts()) {
      int source = conflict.sawInitial() ? subject.reads().source(conflict.other()) : -1;
      if (source >= 0) {
        int txn = history.transactionOf(conflict.operation());
        int writer = history.transactionOf(source);
        int key = history.key(source);
        cycles.add(
            Evidence.ofEdges(
                List.of(
                    Edge.of(writer, txn, Edge.Kind.WR, key, source, conflict.other()),
                    Edge.of(txn, writer, Edge.Kind.RW, key, conflict.operation(), source))));
      } else {
        others.add(
            conflict.other() < 0
                ? Evidence.ofOperations(conflict.operation())
                : Evidence.ofOperations(conflict.operation(), conflict.other()));
      }
    }
    add(subject, AnomalyType.G_SINGLE, cycles, anomalies);
    add(subject, AnomalyType.RESULT_SET_MISMATCH, others, anomalies);
  }

  private static void add(
      Subject subject, AnomalyType type, List<Evidence> found, List<Anomaly> anomalies) {
    if (!found.isEmpty()) {
      int shown = Math.min(found.size(), subject.budget().maxWitnesses());
      anomalies.add(new Anomaly(type, OWN, found.size(), false, found.subList(0, shown)));
    }
  }

  private static void solve(
      Subject subject,
      EdgeList known,
      PredicateSight sight,
      Set<Level> open,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    Expansion expansion = new Expansion(subject.history(), sight.sights());
    // Where results tell only part of what they say, what is found soon is all there is to find.
    Budget budget = sight.isComplete() ? subject.budget() : subject.budget().atMost(TIME_IN_PART);
    PolygraphChecker.Decided decided = decide(expansion, known, open, budget);
    for (Anomaly anomaly : decided.findings().anomalies()) {
      Anomaly told = Phantoms.told(anomaly, expansion, OWN);
      if (told != null) {
        anomalies.add(told);
      }
    }
    decided
        .findings()
        .verdicts()
        .forEach(
            (level, verdict) -> {
              boolean holds = verdict instanceof Verdict.Holds;
              int[] order = SERIAL.contains(level) ? decided.orders().get(level) : null;
              boolean explained = sight.isComplete() || (order != null && explains(subject, order));
              if (holds && explained) {
                verdicts.put(level, EXPLAINED);
              } else if (verdict instanceof Verdict.Violated) {
                verdicts.put(level, verdict);
              }
            });
  }

  private static PolygraphChecker.Decided decide(
      Expansion expansion, EdgeList known, Set<Level> levels, Budget budget) {
    History history = expansion.history();
    ReadsFrom reads = expansion.reads();
    return PolygraphChecker.decide(
        new Subject(
            history,
            reads,
            known.size() == 0
                ? new VersionOrders(history, reads, Given.NOTHING)
                : VersionOrders.known(history, reads, expansion.orders(known)),
            levels,
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            budget));
  }

  /**
   * Looks for orders that keep to real time, in which results leave fewer versions to choose from.
   * That there is none says nothing about other orders, but on a real database there mostly is.
   */
  private static void solveInRealTime(
      Subject subject,
      EdgeList known,
      PredicateTable table,
      Set<Level> open,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    History history = subject.history();
    if (!history.hasTimes() || isTimestamped(subject)) {
      return;
    }
    Expansion expansion = null;
    for (Level level : List.of(Level.STRICT_SERIALIZABLE, Level.STRONG_SNAPSHOT_ISOLATION)) {
      boolean serial = SERIAL.contains(level);
      boolean wanted =
          open.stream()
              .anyMatch(
                  each -> SERIAL.contains(each) == serial && !isDecided(each, verdicts, anomalies));
      if (!wanted || subject.budget().expired()) {
        continue;
      }
      if (expansion == null) {
        PredicateSight sight = new PredicateSight(table, subject.reads(), true);
        expansion = new Expansion(history, sight.sights());
      }
      Budget own = subject.budget().atMost(TIME_IN_REAL_TIME);
      int[] order = decide(expansion, known, Set.of(level), own).orders().get(level);
      if (order != null
          && (serial ? explains(subject, order) : SnapshotOrder.explains(history, order))) {
        verdicts.put(level, EXPLAINED);
      }
    }
  }

  /** Decides by trying all orders what the solver left open, of few transactions. */
  private static void tryOrders(
      Subject subject,
      EdgeList known,
      Set<Level> open,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    History history = subject.history();
    int[] transactions = OrderTrial.transactions(history);
    if (transactions == null) {
      return;
    }
    for (Level level : WEAKEST_FIRST) {
      boolean timeless = level.needsRealTime() && !history.hasTimes();
      if (!open.contains(level) || timeless || isDecided(level, verdicts, anomalies)) {
        continue;
      }
      switch (OrderTrial.of(history, level, transactions, known, subject.budget())) {
        case FOUND -> verdicts.put(level, EXPLAINED);
        case NONE -> {
          List<Integer> results =
              OrderTrial.irreconcilable(history, level, transactions, known, subject.budget());
          if (!results.isEmpty()) {
            Set<Level> violates = EnumSet.copyOf(OWN);
            violates.retainAll(level.andStronger());
            Evidence evidence = Evidence.ofOperations(results.toArray(Integer[]::new));
            anomalies.add(
                new Anomaly(AnomalyType.RESULT_SET_MISMATCH, violates, 1, true, List.of(evidence)));
          }
        }
        case OPEN -> {}
      }
    }
  }

  private static boolean isDecided(
      Level level, Map<Level, Verdict> verdicts, List<Anomaly> anomalies) {
    for (Map.Entry<Level, Verdict> entry : verdicts.entrySet()) {
      boolean holds = entry.getValue() instanceof Verdict.Holds && entry.getKey().implies(level);
      boolean violated =
          entry.getValue() instanceof Verdict.Violated && level.implies(entry.getKey());
      if (holds || violated) {
        return true;
      }
    }
    return anomalies.stream().anyMatch(anomaly -> anomaly.violates().contains(level));
  }

  /** Decides what the order in which transactions most likely committed proves. */
  private static void tryLikelyOrder(
      Subject subject, EdgeList known, Set<Level> open, Map<Level, Verdict> verdicts) {
    int[] order =
        IntStream.of(LikelyOrder.of(subject.history())).filter(subject.reads()::counts).toArray();
    if (follows(order, known, subject) && SerialOrderChecker.explains(subject.history(), order)) {
      Set<Level> proven = SerialOrderChecker.proven(subject.history(), order).andWeaker();
      for (Level level : OWN) {
        if (proven.contains(level) && open.remove(level)) {
          verdicts.put(level, EXPLAINED);
        }
      }
    }
  }

  /** Whether versions are written in their known order. */
  private static boolean follows(int[] order, EdgeList known, Subject subject) {
    int[] place = new int[subject.history().transactionCount()];
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
  private static boolean explains(Subject subject, int[] events) {
    int[] order = new int[events.length];
    int size = 0;
    for (int event : events) {
      if ((event & 1) == 1) {
        order[size++] = event >> 1;
      }
    }
    return SerialOrderChecker.explains(subject.history(), Arrays.copyOf(order, size));
  }
}
