package dev.assay.window;

import dev.assay.Report;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.Set;

/**
 * A violation that a {@link Monitor} found.
 *
 * @param levels the levels that held so far and are violated by it
 * @param types the anomalies that were not seen before
 * @param report the part of the history that shows it, with its anomalies, to be rendered like any
 *     other report
 * @param time when the last of its transactions ended, in the units of the history, or {@link
 *     dev.assay.history.History#ABSENT}
 * @param transactions the number of transactions that had been accepted when it was found
 */
public record Violation(
    Set<Level> levels, Set<AnomalyType> types, Report report, long time, long transactions) {
  public Violation {
    levels = Set.copyOf(levels);
    types = Set.copyOf(types);
  }
}
