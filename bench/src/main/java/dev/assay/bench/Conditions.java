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
import dev.assay.level.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What compare-and-set costs beside plain writes, in CPU time of alternating checks. */
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

  private static History history(WorkloadKind kind, int keys) {
    WorkloadSpec spec =
        WorkloadSpec.builder()
            .kind(kind)
            .sessions(SESSIONS)
            .transactionsPerSession(TRANSACTIONS / SESSIONS)
            .operations(1, 1)
            .keys(keys)
            .readRatio(0.5)
            .seed(7)
            .build();
    return new Generator(spec, StoreLevel.SERIALIZABLE).history();
  }

  private void row(int keys, String name, Set<Level> levels, List<History> histories) {
    double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
    long[] open = new long[2];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2; i++) {
        long began = MACHINE.getProcessCpuTime();
        Report report = Assay.check(histories.get(i), levels, Budget.of(LIMIT));
        least[i] = Math.min(least[i], (MACHINE.getProcessCpuTime() - began) / 1e9);
        open[i] =
            report.verdicts().values().stream().filter(Verdict.Unknown.class::isInstance).count();
      }
    }
    Main.row(
        "%,d".formatted(keys),
        name,
        "%.2f".formatted(least[0]),
        "%.2f".formatted(least[1]),
        "%.2f".formatted(least[1] / least[0]),
        open[0] + " / " + open[1]);
  }
}
