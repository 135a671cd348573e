package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Ledger;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.type.KnownOrders;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@link Assay#check} found out about a history.
 *
 * @param history the history itself
 * @param verdicts one verdict for each level asked for
 * @param anomalies what was found that a level asked for forbids, worst first
 * @param notes remarks for the user
 * @param stageMillis how long each stage took, in the order they ran
 * @param inferred for how many keys the order of the versions is known; null where the history
 *     tells
 */
public record Report(
    History history,
    Map<Level, Verdict> verdicts,
    List<Anomaly> anomalies,
    List<String> notes,
    Map<String, Long> stageMillis,
    KnownOrders inferred) {
  public Report(
      History history,
      Map<Level, Verdict> verdicts,
      List<Anomaly> anomalies,
      List<String> notes,
      Map<String, Long> stageMillis) {
    this(history, verdicts, anomalies, notes, stageMillis, null);
  }

  public Report {
    Map<Level, Verdict> copy = new EnumMap<>(Level.class);
    copy.putAll(verdicts);
    verdicts = Collections.unmodifiableMap(copy);
    anomalies = List.copyOf(anomalies);
    notes = List.copyOf(notes);
    stageMillis = Collections.unmodifiableMap(stageMillis);
  }

  /** The same about the history as it was recorded, without what is known of outcomes besides. */
  Report of(History recorded) {
    int more = 0;
    for (int txn = 0; recorded != history && txn < history.transactionCount(); txn++) {
      more += history.isCommitted(txn) && !recorded.isCommitted(txn) ? 1 : 0;
    }
    if (more == 0) {
      return this;
    }
    List<String> remarks = new ArrayList<>(notes);
    remarks.add(
        "%,d %s of unknown outcome %s as committed, according to the certificate or given order"
            .formatted(
                more, more == 1 ? "transaction" : "transactions", more == 1 ? "counts" : "count"));
    return new Report(recorded, verdicts, anomalies, remarks, stageMillis, inferred);
  }

  /**
   * The same about the history as it was recorded.
   *
   * @param unexamined why levels that hold are unknown, because reads were left out; or null
   */
  Report about(History recorded, Verdict.Unknown unexamined) {
    Map<Level, Verdict> known = new EnumMap<>(Level.class);
    verdicts.forEach(
        (level, verdict) ->
            known.put(
                level,
                unexamined != null && verdict instanceof Verdict.Holds ? unexamined : verdict));
    return new Report(recorded, known, anomalies, notes, stageMillis, inferred);
  }

  /** What it says about some of its levels, with the anomalies that violate them. */
  Report about(Set<Level> levels) {
    Map<Level, Verdict> some = new EnumMap<>(verdicts);
    some.keySet().retainAll(levels);
    List<Anomaly> theirs =
        anomalies.stream()
            .filter(
                anomaly ->
                    levels.stream()
                        .anyMatch(level -> anomaly.violates().stream().anyMatch(level::implies)))
            .toList();
    return new Report(history, some, theirs, notes, stageMillis, inferred);
  }

  /** The same with the verdict for one more level. */
  Report alsoAbout(Level level, Verdict verdict) {
    Map<Level, Verdict> more = new EnumMap<>(Level.class);
    more.putAll(verdicts);
    more.put(level, verdict);
    return new Report(history, more, anomalies, notes, stageMillis, inferred);
  }

  /** The same with one more level, which is the same as another one for this history. */
  Report alsoViolating(Level level, Level same) {
    List<Anomaly> named = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      Set<Level> violates = EnumSet.copyOf(anomaly.violates());
      if (violates.stream().anyMatch(same::implies)) {
        violates.add(level);
      }
      named.add(
          new Anomaly(
              anomaly.type(),
              violates,
              anomaly.count(),
              anomaly.countIsLowerBound(),
              anomaly.witnesses()));
    }
    return new Report(history, verdicts, named, notes, stageMillis, inferred)
        .alsoAbout(level, verdict(same));
  }

  /** The same with more anomalies, those of a known type joined to it, and more remarks. */
  Report withAnomalies(List<Anomaly> more, List<String> remarks) {
    List<Anomaly> all = new ArrayList<>(anomalies);
    for (Anomaly one : more) {
      int known = 0;
      while (known < all.size() && all.get(known).type() != one.type()) {
        known++;
      }
      if (known < all.size()) {
        all.set(known, all.get(known).and(one));
      } else {
        all.add(one);
      }
    }
    List<String> allRemarks = new ArrayList<>(notes);
    remarks.stream().filter(remark -> !allRemarks.contains(remark)).forEach(allRemarks::add);
    return new Report(history, verdicts, all, allRemarks, stageMillis, inferred);
  }

  /** The same with more in its ledger and other remarks. */
  Report with(Ledger ledger, List<String> remarks) {
    Set<Level> wanted = verdicts.keySet();
    return new Report(
        history, ledger.settle(wanted), ledger.shown(wanted), remarks, stageMillis, inferred);
  }

  /** The same with other times. */
  public Report withStages(Map<String, Long> stages) {
    return new Report(history, verdicts, anomalies, notes, stages, inferred);
  }

  /** What it says about one of its levels, with the anomalies that violate it. */
  public Report about(Level level) {
    return about(Set.of(level));
  }

  /** For how many keys the order of the versions is known. */
  @Override
  public KnownOrders inferred() {
    return inferred == null ? KnownOrders.of(history) : inferred;
  }

  /** The verdict for a level that was asked for. */
  public Verdict verdict(Level level) {
    Verdict verdict = verdicts.get(level);
    if (verdict == null) {
      throw new IllegalArgumentException(level + " was not asked for");
    }
    return verdict;
  }

  public boolean holds(Level level) {
    return verdict(level) instanceof Verdict.Holds;
  }

  public boolean violated(Level level) {
    return verdict(level) instanceof Verdict.Violated;
  }

  /** Whether an anomaly of this type was found. */
  public boolean shows(AnomalyType type) {
    return anomalies.stream().anyMatch(anomaly -> anomaly.type() == type);
  }

  /** The strongest levels, of those asked for, that hold. */
  public List<Level> strongest() {
    return Level.maximal(withVerdict(Verdict.Holds.class));
  }

  /** The weakest levels, of those asked for, that are violated. */
  public List<Level> weakestViolated() {
    return Level.minimal(withVerdict(Verdict.Violated.class));
  }

  /** The levels that stayed open for a reason. */
  Set<Level> open(Verdict.Reason reason) {
    Set<Level> open = EnumSet.noneOf(Level.class);
    verdicts.forEach(
        (level, verdict) -> {
          if (verdict instanceof Verdict.Unknown unknown && unknown.reason() == reason) {
            open.add(level);
          }
        });
    return open;
  }

  private List<Level> withVerdict(Class<? extends Verdict> kind) {
    List<Level> levels = new ArrayList<>();
    verdicts.forEach(
        (level, verdict) -> {
          if (kind.isInstance(verdict)) {
            levels.add(level);
          }
        });
    return levels;
  }
}
