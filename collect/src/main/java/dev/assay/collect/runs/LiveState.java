package dev.assay.collect.runs;

import java.util.List;
import java.util.Map;

/**
 * What is known of a run while it goes on, the fields of {@code live.json}.
 *
 * @param transactions the number of transactions recorded
 * @param judged those of them that are judged for good
 * @param strongest the ids of the strongest levels that hold so far
 * @param anomalies how often each anomaly was found so far, by its id
 * @param violations what was violated, and when
 * @param database the database as it names itself, with its version
 * @param attempt the number of the run, from 1, where it is repeated; null otherwise
 */
public record LiveState(
    Long transactions,
    Long judged,
    List<String> strongest,
    Map<String, Long> anomalies,
    List<Moment> violations,
    String database,
    Long attempt) {
  public LiveState {
    strongest = strongest == null ? List.of() : strongest;
    anomalies = anomalies == null ? Map.of() : anomalies;
    violations = violations == null ? List.of() : violations;
  }

  /**
   * When levels were found to be violated.
   *
   * @param millis by the clock of the samples of the process; null if it takes none
   * @param seconds since clients began; null if that is not known
   * @param levels the ids of the weakest of them
   * @param anomalies the ids of those not seen before
   */
  public record Moment(Long millis, String seconds, List<String> levels, List<String> anomalies) {
    public Moment {
      levels = levels == null ? List.of() : levels;
      anomalies = anomalies == null ? List.of() : anomalies;
    }
  }
}
