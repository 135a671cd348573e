package dev.assay.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.level.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What compare-and-set costs beside plain writes, and a level for each transaction beside one for
 * all, in CPU time of alternating checks.
 */
final class Conditions {
  private static final int SESSIONS = 10;
  private static final int TRANSACTIONS = 100_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final OperatingSystemMXBean MACHINE =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final int rounds;

  Conditions(int rounds) {
    this.rounds = rounds;
  }

  void print() {
    Main.header("keys", "level", "plain writes, CPU s", "compare-and-set, CPU s", "ratio", "open");
    Map<String, Set<Level>> asked = new TreeMap<>();
    asked.put("all", Set.copyOf(Level.surveyed()));
    asked.put("serializable", Set.of(Level.SERIALIZABLE));
    asked.put("linearizable", Set.of(Level.LINEARIZABLE));
    for (int keys : new int[] {100, 1_000, 10_000}) {
      List<History> histories =
          List.of(history(WorkloadKind.REGISTER, keys), history(WorkloadKind.CAS, keys));
      asked.forEach((name, levels) -> row(keys, name, levels, histories));
    }
  }

  /** One history, whose transactions say that they ran at serializable, or do not. */
  void printMixed() {
    Main.header("workload", "keys", "serializable, CPU s", "mixed, CPU s", "ratio", "open");
    for (WorkloadKind kind : List.of(WorkloadKind.LIST_APPEND, WorkloadKind.REGISTER)) {
      for (int keys : new int[] {100, 10_000}) {
        History plain = history(spec(kind, keys).operations(1, 4).build());
        Measured measured =
            measure(
                List.of(plain, atSerializable(plain)),
                List.of(Set.of(Level.SERIALIZABLE), Set.of(Level.MIXED)));
        row(kind.id(), "%,d".formatted(keys), measured);
      }
    }
  }

  private static History history(WorkloadKind kind, int keys) {
    return history(spec(kind, keys).operations(1, 1).build());
  }

  private static WorkloadSpec.Builder spec(WorkloadKind kind, int keys) {
    return WorkloadSpec.builder()
        .kind(kind)
        .sessions(SESSIONS)
        .transactionsPerSession(TRANSACTIONS / SESSIONS)
        .keys(keys)
        .readRatio(0.5)
        .seed(7);
  }

  private static History history(WorkloadSpec spec) {
    return new Generator(spec, StoreLevel.SERIALIZABLE).history();
  }

  private static History atSerializable(History history) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.initialStateOf(history);
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      builder.level(copy.begin(txn), Level.SERIALIZABLE.id());
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        copy.add(op);
      }
    }
    return builder.build();
  }

  private void row(int keys, String name, Set<Level> levels, List<History> histories) {
    row("%,d".formatted(keys), name, measure(histories, List.of(levels, levels)));
  }

  /** The least CPU time of each, and how many levels stayed open. */
  private record Measured(double[] least, long[] open) {}

  private Measured measure(List<History> histories, List<Set<Level>> levels) {
    double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
    long[] open = new long[2];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2; i++) {
        long began = MACHINE.getProcessCpuTime();
        Report report = Assay.check(histories.get(i), levels.get(i), Budget.of(LIMIT));
        least[i] = Math.min(least[i], (MACHINE.getProcessCpuTime() - began) / 1e9);
        open[i] =
            report.verdicts().values().stream().filter(Verdict.Unknown.class::isInstance).count();
      }
    }
    return new Measured(least, open);
  }

  private static void row(String first, String second, Measured measured) {
    double[] least = measured.least();
    Main.row(
        first,
        second,
        "%.2f".formatted(least[0]),
        "%.2f".formatted(least[1]),
        "%.2f".formatted(least[1] / least[0]),
        measured.open()[0] + " / " + measured.open()[1]);
  }
}
