package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.ArgumentMapper;
import dev.assay.check.Findings;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker;
import dev.assay.check.ReadConsistency;
import dev.assay.check.TypesAsRegisters;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.Rewriting;
import dev.assay.infer.VersionOrders;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides causal, read atomic, read committed, monotonic atomic view and the session guarantees for
 * registers and lists. A level implied by one that holds is not examined again.
 *
 * <p>If the first candidate commit order already explains every read serially, everything up to
 * strong session serializability holds at once.
 */
public final class WeakChecker implements LevelChecker {
  /** Maximum number of witnesses per type for anomalies between single operations. */
  private static final int SPLIT_WITNESSES = 16;

  /**
   * Maximum number of operations of a history that is split although the verdict does not need it,
   * in order to list anomalies between operations separately. In larger ones they are listed only
   * as anomalies between transactions or of the read.
   */
  private static final int MAX_SPLIT_TO_LIST = 100_000;

  private static final Verdict HOLDS_BETWEEN_OPERATIONS =
      new Verdict.Holds("a commit order of operations satisfies every read");

  @Override
  public String name() {
    return "weak-levels";
  }

  @Override
  public Findings check(Subject subject) {
    Set<Level> levels = wantedLevels(subject);
    boolean split =
        subject.levels().contains(Level.CAUSAL_NON_TRANSACTIONAL)
            && !subject.holding().contains(Level.CAUSAL_NON_TRANSACTIONAL);
    if (levels.isEmpty() && !split) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    if (split) {
      levels.add(Level.CAUSAL);
    }
    // Rewriting other types as registers changes which operations there are.
    boolean byChoice = split && subject.reads().countsByChoice();
    boolean prove = split && !byChoice && subject.versions().asRegisters().rewriting().isNone();
    Findings found = TypesAsRegisters.check(subject, own -> decide(own, levels, prove));
    if (byChoice) {
      if (!subject.violated().contains(Level.CAUSAL_NON_TRANSACTIONAL)) {
        found.verdicts().put(Level.CAUSAL_NON_TRANSACTIONAL, ReadConsistency.COUNTS_BY_CHOICE);
      }
      leaveUnexamined(subject, found.verdicts());
      return found;
    }
    if (!split || Ledger.holds(found.verdicts(), Level.CAUSAL_NON_TRANSACTIONAL)) {
      return found;
    }
    List<Anomaly> anomalies = new ArrayList<>(found.anomalies());
    boolean onlyDecide = subject.history().operationCount() > MAX_SPLIT_TO_LIST;
    if (!onlyDecide || !refuteSplit(subject, found.verdicts(), anomalies)) {
      decideSplit(subject, found.verdicts(), anomalies);
    }
    leaveUnexamined(subject, found.verdicts());
    return new Findings(found.verdicts(), anomalies, found.notes());
  }

  /**
   * The transactions that count, in an order that respects sessions and reads as far as possible,
   * and otherwise the likely order of their commits.
   */
  public static int[] likelyOrder(Subject subject) {
    return new WeakRun(subject, Set.of()).firstGuess().toArray();
  }

  /** A commit order that satisfies the axiom of a level, or null if none is found. */
  public static int[] commitOrder(Subject subject, Level level) {
    CommitOrder order = new WeakRun(subject, Set.of(level)).commitOrder(level);
    return order == null ? null : order.toArray();
  }

  /**
   * Decides levels.
   *
   * @param prove whether to try to prove {@code causal-non-transactional} without splitting
   */
  private static Findings decide(Subject subject, Set<Level> levels, boolean prove) {
    WeakRun run = new WeakRun(subject, levels).decide();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(run.verdicts());
    List<Anomaly> anomalies = new ArrayList<>(run.anomalies());
    List<String> notes = new ArrayList<>();
    if (subject.reads().ambiguousReads() > 0) {
      new AmbiguousReads(subject, run).settle(verdicts, anomalies, notes);
    }
    if (prove && !isRefutedBetweenOperations(subject, anomalies) && run.provesOperations()) {
      verdicts.put(Level.CAUSAL_NON_TRANSACTIONAL, HOLDS_BETWEEN_OPERATIONS);
    }
    leaveUnexamined(subject, verdicts);
    return new Findings(verdicts, anomalies, notes);
  }

  private static boolean isRefutedBetweenOperations(Subject subject, List<Anomaly> anomalies) {
    OperationOrder operations = new OperationOrder(subject.history(), subject.reads());
    return subject.violated().contains(Level.CAUSAL_NON_TRANSACTIONAL)
        || anomalies.stream().anyMatch(operations::showsCycle);
  }

  /** Nothing holds if not everything was examined. */
  private static void leaveUnexamined(Subject subject, Map<Level, Verdict> verdicts) {
    Verdict unexamined = subject.unexamined();
    if (unexamined != null) {
      verdicts.replaceAll((level, verdict) -> unexamined);
    }
    if (!subject.versions().asRegisters().problem().isEmpty()) {
      for (Level level : subject.levels()) {
        if (!level.needsRealTime() || subject.history().hasTimes()) {
          verdicts.put(level, unexamined);
        }
      }
    }
  }

  /**
   * The levels that a requested one depends on. With ambiguous reads, which are costly here, only
   * those requested: the solver of strong levels chooses writers itself.
   */
  private static Set<Level> wantedLevels(Subject subject) {
    boolean ambiguous = subject.reads().ambiguousReads() > 0;
    Set<Level> levels = EnumSet.noneOf(Level.class);
    for (Level level : Level.definedByAxioms()) {
      boolean asked = subject.levels().contains(level);
      boolean implied = !Collections.disjoint(level.andStronger(), subject.levels());
      boolean open = !subject.holding().contains(level);
      if (open && (asked || (implied && !ambiguous))) {
        levels.add(level);
      }
    }
    return levels;
  }

  /**
   * Refutes causal consistency between operations without splitting the history, which takes as
   * long as everything else here: uses arguments between transactions that are also valid between
   * their operations.
   *
   * @return whether the level is known to be violated
   */
  private static boolean refuteSplit(
      Subject subject, Map<Level, Verdict> verdicts, List<Anomaly> anomalies) {
    if (subject.reads().ambiguousReads() > 0) {
      return false;
    }
    Level level = Level.CAUSAL_NON_TRANSACTIONAL;
    OperationOrder operations = new OperationOrder(subject.history(), subject.reads());
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    for (int i = 0; i < anomalies.size(); i++) {
      Anomaly anomaly = anomalies.get(i);
      if (operations.showsCycle(anomaly)) {
        types.add(anomaly.type());
        Set<Level> violates = EnumSet.copyOf(anomaly.violates());
        violates.addAll(level.andStronger());
        anomalies.set(
            i,
            new Anomaly(
                anomaly.type(),
                violates,
                anomaly.count(),
                anomaly.countIsLowerBound(),
                anomaly.witnesses()));
      }
    }
    if (!types.isEmpty()) {
      AnomalyType first = types.iterator().next();
      verdicts.put(
          level, new Verdict.Violated(List.copyOf(types), "operation by operation, " + first));
    }
    return !types.isEmpty() || subject.violated().contains(level);
  }

  private static void decideSplit(
      Subject subject, Map<Level, Verdict> verdicts, List<Anomaly> anomalies) {
    Level level = Level.CAUSAL_NON_TRANSACTIONAL;
    if (subject.budget().expired()) {
      verdicts.put(level, Verdict.Unknown.TIMEOUT);
      return;
    }
    Rewriting operations = SplitOperations.of(subject.history(), subject.reads());
    History split = operations.rewritten();
    // Loaders are recognised by whole transactions, so before splitting.
    Loaders loaders = new Loaders(subject.history());
    ReadsFrom reads =
        ReadsFrom.of(split, op -> loaders.isLoader(subject.history().transactionOf(op)));
    if (reads.ambiguousReads() > 0) {
      verdicts.put(level, AmbiguousReads.unknown(split, reads));
      return;
    }
    Subject own =
        new Subject(
            split,
            reads,
            new VersionOrders(split, reads, Given.NOTHING),
            EnumSet.of(Level.CAUSAL),
            EnumSet.noneOf(Level.class),
            EnumSet.noneOf(Level.class),
            // Some of what is found there is known already.
            subject.budget().withWitnesses(SPLIT_WITNESSES));
    Findings found =
        TypesAsRegisters.check(
            own,
            elements -> {
              WeakRun run = new WeakRun(elements, EnumSet.of(Level.CAUSAL)).decide();
              return new Findings(run.verdicts(), run.anomalies(), List.of());
            });
    if (Ledger.holds(found.verdicts(), Level.CAUSAL)) {
      verdicts.put(level, HOLDS_BETWEEN_OPERATIONS);
    } else if (found.anomalies().isEmpty()) {
      verdicts.put(level, found.verdicts().get(Level.CAUSAL));
    } else {
      SplitFindings findings = new SplitFindings(anomalies, subject.budget().maxWitnesses());
      findings.add(ArgumentMapper.back(operations).anomalies(found.anomalies()));
      AnomalyType first = findings.types().get(0);
      verdicts.put(
          level, new Verdict.Violated(findings.types(), "operation by operation, " + first));
    }
  }
}
