package dev.assay.infer;

import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import java.util.List;

/**
 * A cycle of versions of one key. The source that closed it was not used for the key.
 *
 * @param key the key
 * @param dropped the source that was dropped for this key
 * @param steps the cycle: each step ends where the next begins, the last where the first begins
 */
public record VersionCycle(int key, Reason.Source dropped, List<Step> steps) {
  public VersionCycle {
    steps = List.copyOf(steps);
  }

  /**
   * One version before another.
   *
   * @param from the transaction that wrote the earlier one, or {@link ReadsFrom#INITIAL}
   * @param to the transaction that wrote the later one, or {@link ReadsFrom#INITIAL}
   * @param reason why
   */
  public record Step(int from, int to, Reason reason) {}
}
