package dev.assay.resolve;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.OtherThan;

/**
 * Reads that are known only not to have seen a value, as those of conditions that failed. Each may
 * have seen any write of another value, so that together they may have very many candidates.
 */
public final class OtherReads {
  /** Maximum number of candidates that are listed. */
  private static final long MAX_CANDIDATES = 1 << 21;

  private OtherReads() {}

  /**
   * Whether the candidates of all such reads are few enough to be listed. Where they are not,
   * {@link ReadsFrom} leaves out these reads: their source is {@link ReadsFrom#NONE}.
   *
   * @see OtherThan
   */
  public static boolean candidatesFit(History history) {
    if (!history.hasOtherReads()) {
      return true;
    }
    int[] writes = new int[history.keys().count()];
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE) {
        writes[history.key(op)]++;
      }
    }
    long candidates = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.isOtherRead(op)) {
        candidates += writes[history.key(op)] + 1;
      }
    }
    return candidates <= MAX_CANDIDATES;
  }
}
