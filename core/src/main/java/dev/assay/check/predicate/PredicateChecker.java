package dev.assay.check.predicate;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Given;
import dev.assay.infer.PredicateSight;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  private static final Set<Level> SERIAL =
      EnumSet.of(Level.STRICT_SERIALIZABLE, Level.STRONG_SESSION_SERIALIZABLE, Level.SERIALIZABLE);

  @Override
  public String name() {
    return "predicates";
  }

  @Override
  public Findings check(Subject subject) {
    boolean bare = subject.versions().given().certificate().isEmpty();
    if (!subject.history().uses(OpKind.Type.PREDICATE) || !bare) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    PredicateSight sight = new PredicateSight(subject.history(), subject.reads());
    List<String> notes = new ArrayList<>();
    sight.problems().forEach(problem -> notes.add("predicates are not examined: " + problem));
    List<Anomaly> anomalies = new ArrayList<>();
    addMismatches(subject, sight, anomalies);
    addConflicts(subject, sight, anomalies);
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    Set<Level> open = EnumSet.noneOf(Level.class);
    for (Level level : OWN) {
      boolean wanted = subject.levels().stream().anyMatch(asked -> asked.implies(level));
      boolean known = anomalies.stream().anyMatch(a -> a.violates().contains(level));
      if (wanted && !known && !subject.violated().contains(level)) {
        open.add(level);
      }
    }
    if (!open.isEmpty() && sight.problems().isEmpty()) {
      solve(subject, sight, open, verdicts, anomalies);
    }
    return new Findings(verdicts, anomalies, notes);
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

  /** What one operation saw another missed: the writer comes before and after the transaction. */
  private static void addConflicts(Subject subject, PredicateSight sight, List<Anomaly> anomalies) {
    History history = subject.history();
    List<Evidence> cycles = new ArrayList<>();
    List<Evidence> others = new ArrayList<>();
    for (PredicateSight.Conflict conflict : sight.conflicts()) {
      int source = conflict.other() < 0 ? -1 : subject.reads().source(conflict.other());
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
      PredicateSight sight,
      Set<Level> open,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies) {
    Expansion expansion = new Expansion(subject.history(), sight.sights());
    ReadsFrom reads = expansion.reads();
    Subject expanded =
        new Subject(
            expansion.history(),
            reads,
            new VersionOrders(expansion.history(), reads, Given.NOTHING),
            open,
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            subject.budget());
    PolygraphChecker.Decided decided = PolygraphChecker.decide(expanded);
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
              boolean proven =
                  sight.isComplete()
                      || (SERIAL.contains(level) && explains(subject, decided.orders().get(level)));
              if (holds && proven) {
                verdicts.put(
                    level, new Verdict.Holds("a commit order explains every read and result"));
              } else if (verdict instanceof Verdict.Violated) {
                verdicts.put(level, verdict);
              }
            });
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
