package dev.assay.window;

import dev.assay.level.AnomalyType;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Says in which windows the anomalies of levels are listed that are violated already. To list them
 * all takes longer than to judge, and decides nothing. So they are listed for a while, and from
 * then on in every few windows. Anomalies that single reads show are listed everywhere: that takes
 * little.
 */
final class Listing {
  /** Number of transactions among which all are listed. */
  private static final int ALL = 20_000;

  /** Of how many transactions afterwards those of one are listed. */
  private static final int SHARE = 8;

  private static final Set<AnomalyType> OF_READS =
      EnumSet.range(AnomalyType.THIN_AIR_READ, AnomalyType.LOST_WRITE);

  /** Number of transactions whose anomalies were listed, and of those left out. */
  private long listed;

  private long leftOut;

  /** Whether anomalies are listed among the next transactions. */
  boolean isDue(int transactions) {
    // Half of a window too many does no harm on average.
    if (listed + transactions / 2 < ALL + (listed + leftOut + transactions) / SHARE) {
      listed += transactions;
      return true;
    }
    leftOut += transactions;
    return false;
  }

  /** Whether there may be more anomalies of a type than were listed. */
  boolean leavesOut(AnomalyType type) {
    return leftOut > 0 && !OF_READS.contains(type);
  }

  // ---- states

  void save(StateOutput out) throws IOException {
    out.writeLong(listed);
    out.writeLong(leftOut);
  }

  void restore(StateInput in) throws IOException {
    listed = in.readLong();
    leftOut = in.readLong();
  }
}
