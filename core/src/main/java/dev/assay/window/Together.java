package dev.assay.window;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Names anomalies in all transactions together, where these are few. Which of several cycles is
 * found, and by what path one transaction precedes another, depends on all transactions; in large
 * histories the checkers do not look for all names either.
 */
final class Together {
  /** Maximum number of transactions, the same as for a list of arguments. */
  static final int MOST = 2_000;

  private final Context context;
  private final List<Arrived> transactions;

  /** Whether some of them are not on disk any more. */
  private final boolean dropped;

  /** All transactions that were judged, which are taken back for this. */
  Together(Context context) {
    this.context = context;
    this.dropped = context.past.first() > 0;
    this.transactions = new ArrayList<>(dropped ? List.of() : context.past.reopen(0));
    this.transactions.sort(Comparator.comparingLong(arrived -> arrived.number));
  }

  /** The verdicts of windows with the anomalies of the whole; the same if there is no time. */
  Report name(Report windows, Budget budget) {
    if (dropped) {
      return windows;
    }
    History history = history();
    Report whole =
        Assay.check(history, CheckOptions.of(windows.verdicts().keySet()).within(budget));
    if (budget.expired()) {
      return windows;
    }
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    windows
        .verdicts()
        .forEach(
            (level, verdict) ->
                verdicts.put(
                    level,
                    verdict instanceof Verdict.Violated
                        ? new Verdict.Violated(
                            against(level, whole), "a part of the history violates it")
                        : verdict));
    return new Report(history, verdicts, whole.anomalies(), windows.notes(), windows.stageMillis());
  }

  private static List<AnomalyType> against(Level level, Report whole) {
    return whole.anomalies().stream()
        .filter(anomaly -> anomaly.violates().stream().anyMatch(level::implies))
        .map(Anomaly::type)
        .toList();
  }

  private History history() {
    HistoryBuilder builder = new HistoryBuilder();
    context.describe(builder);
    for (Arrived arrived : transactions) {
      History from = arrived.history();
      OperationCopy copy = new OperationCopy(from, builder);
      int txn = copy.begin(arrived.txn);
      builder.id(txn, builder.scalars().of(arrived.id()));
      for (int op = from.firstOp(arrived.txn); op < from.endOp(arrived.txn); op++) {
        copy.add(op);
        KeyState key = arrived.block.keys[from.key(op)];
        if (key.declared != null) {
          builder.initially(key.key, key.declared);
        }
      }
    }
    return builder.build();
  }
}
