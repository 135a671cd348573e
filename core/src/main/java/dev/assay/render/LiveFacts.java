package dev.assay.render;

import dev.assay.check.LostWrites;
import dev.assay.history.RunActivity;
import dev.assay.infer.ConcurrentConflicts;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is known of a run because it was judged while it went on.
 *
 * @param totals the size of its history; null if the history of the report is the whole one
 * @param conflicts those of its history, or null with the totals
 * @param moments when violations were found, in that order
 * @param activity what its transactions did over time, or null with the totals
 * @param lost the acknowledged writes that are missing in the end; null if there are none
 */
public record LiveFacts(
    Totals totals,
    ConcurrentConflicts conflicts,
    List<Moment> moments,
    RunActivity activity,
    LostWrites.Lost lost) {
  public LiveFacts {
    moments = List.copyOf(moments);
  }

  /** Without what happened over time. */
  public LiveFacts(Totals totals, ConcurrentConflicts conflicts, List<Moment> moments) {
    this(totals, conflicts, moments, null, null);
  }

  /**
   * When levels were found to be violated.
   *
   * @param levels those that held until then
   * @param anomalies those that were not seen before
   * @param nanos when the last transaction of the violation ended, since clients began; −1 if that
   *     is not known
   * @param foundNanos when that was known, since clients began; −1 if there are no clients
   * @param transactions the number of transactions that had been judged or waited to be
   */
  public record Moment(
      Set<Level> levels,
      Set<AnomalyType> anomalies,
      long nanos,
      long foundNanos,
      long transactions) {
    /** A moment in a history that is not being recorded. */
    public Moment(Set<Level> levels, Set<AnomalyType> anomalies, long nanos, long transactions) {
      this(levels, anomalies, nanos, -1, transactions);
    }

    public Moment {
      levels = levels.isEmpty() ? Set.of() : EnumSet.copyOf(levels);
      anomalies = anomalies.isEmpty() ? Set.of() : EnumSet.copyOf(anomalies);
    }
  }
}
