package dev.assay.window;

import dev.assay.check.Verdict;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The verdict so far.
 *
 * @param accepted the number of transactions accepted
 * @param committed those of them that committed
 * @param judged those of them that are judged for good
 * @param verdicts what is known of each level: that it holds means that it does for what was judged
 * @param anomalies the anomalies found, with the number of their instances
 * @param late the number of transactions that came later than allowed
 */
public record Standing(
    long accepted,
    long committed,
    long judged,
    Map<Level, Verdict> verdicts,
    Map<AnomalyType, Long> anomalies,
    long late) {
  public Standing {
    verdicts = Collections.unmodifiableMap(new EnumMap<>(verdicts));
    Map<AnomalyType, Long> copy = new EnumMap<>(AnomalyType.class);
    copy.putAll(anomalies);
    anomalies = Collections.unmodifiableMap(copy);
  }

  /** The same with more transactions that wait. */
  Standing and(long more) {
    return new Standing(accepted + more, committed, judged, verdicts, anomalies, late);
  }

  /** The number of transactions that wait to be judged. */
  public long waiting() {
    return accepted - judged;
  }

  public boolean violated(Level level) {
    return verdicts.get(level) instanceof Verdict.Violated;
  }

  /** The strongest levels that hold so far. */
  public List<Level> strongest() {
    List<Level> holding = new ArrayList<>();
    verdicts.forEach(
        (level, verdict) -> {
          if (verdict instanceof Verdict.Holds) {
            holding.add(level);
          }
        });
    return Level.maximal(holding);
  }
}
