package dev.assay.render;

import dev.assay.history.History;
import dev.assay.history.Outcome;

/**
 * How large a history is. The history of a report may be only the part that shows the violations,
 * so its size is not always that of what was judged.
 */
public record Totals(
    long committed, long aborted, long indeterminate, long operations, long keys, long sessions) {
  /** The size of a history that is there as a whole. */
  public static Totals of(History history) {
    long[] outcomes = new long[Outcome.values().length];
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      outcomes[history.outcome(txn).ordinal()]++;
    }
    return new Totals(
        outcomes[Outcome.COMMITTED.ordinal()],
        outcomes[Outcome.ABORTED.ordinal()],
        outcomes[Outcome.INDETERMINATE.ordinal()],
        history.operationCount(),
        history.keys().count(),
        history.sessionCount());
  }

  public long transactions() {
    return committed + aborted + indeterminate;
  }

  /** The number of transactions with an outcome. */
  public long count(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> committed;
      case ABORTED -> aborted;
      case INDETERMINATE -> indeterminate;
    };
  }
}
