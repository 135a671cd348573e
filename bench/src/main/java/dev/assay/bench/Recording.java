package dev.assay.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Target;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.config.Workloads;
import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.LiveCheck;
import dev.assay.collect.judge.StreamedCheck;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.format.binary.AssayBinaryWriter;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.window.Standing;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What recording costs: CPU time an operation, and throughput with and without it. And what judging
 * costs a run that is recorded.
 */
final class Recording {
  private static final int TRANSACTIONS = 1_000_000;
  private static final int OPERATIONS = 4;
  private static final int LIST_LENGTH = 16;
  private static final int WARM_UPS = 6;

  /** Until then the database itself gets faster from run to run. */
  private static final int RUN_WARM_UPS = 16;

  private static final int CPU_ROUNDS = 7;
  private static final int PAIRS = 10;
  private static final int SESSIONS = 10;

  /** As many for each client, so that all runs do the same work however busy the machine is. */
  private static final int IN_PROCESS = 30_000;

  private static final int ON_A_SERVER = 1_000;

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final Target target;
  private final int transactions;
  private final RunConfig config;

  /** Whether all runs are recorded, and half of them judged while they go on. */
  private final boolean judging;

  private long waiting;

  /** On a database that Assay starts. */
  Recording(String database) {
    this(database, false);
  }

  /** The same for judging. */
  static Recording judging(String database) {
    return new Recording(database, true);
  }

  private Recording(String database, boolean judging) {
    this.judging = judging;
    target = Target.embedded(Databases.byId(database).orElseThrow(), null);
    transactions = target.client().canFail() ? ON_A_SERVER : IN_PROCESS;
    config =
        RunConfig.empty(Use.RUN)
            .with(Parameters.SESSIONS, SESSIONS)
            .with(Parameters.TRANSACTIONS, transactions)
            .with(Parameters.DURATION, "1h")
            .with(Parameters.OPERATIONS, "1-5")
            .with(Parameters.KEYS, 1000);
  }

  /** What one run took. */
  private record Measured(double transactionsPerSecond, double cpuMicrosPerTransaction) {}

  void print() throws IOException, ClientException {
    double[] cpu = new double[CPU_ROUNDS];
    for (int i = 0; i < WARM_UPS + CPU_ROUNDS; i++) {
      cpu[Math.max(0, i - WARM_UPS)] = cpu();
    }
    System.out.printf(
        "CPU of recording: %s ns an operation (median of %d rounds)%n",
        spread(cpu, "%.0f"), CPU_ROUNDS);
    compare();
  }

  /** Throughput with and without, in pairs. */
  void compare() throws IOException, ClientException {
    for (int i = 0; i < RUN_WARM_UPS; i++) {
      run(i % 2 == 0);
    }
    Measured[] with = new Measured[PAIRS];
    Measured[] without = new Measured[PAIRS];
    System.out.printf(
        "%s, %d sessions with %,d transactions each, 1,000 keys; committed a second, CPU µs a"
            + " transaction:%n",
        target.client().title(), SESSIONS, transactions);
    String what = judging ? "judged" : "recorded";
    System.out.println("| pair | %1$s | not %1$s | %1$s CPU | not %1$s CPU |".formatted(what));
    System.out.println("|---|---|---|---|---|");
    for (int i = 0; i < PAIRS; i++) {
      // Whatever drifts meets both sides alike.
      if (i % 2 == 0) {
        with[i] = run(true);
        without[i] = run(false);
      } else {
        without[i] = run(false);
        with[i] = run(true);
      }
      System.out.printf(
          "| %d | %,.0f | %,.0f | %.2f | %.2f |%n",
          i + 1,
          with[i].transactionsPerSecond(),
          without[i].transactionsPerSecond(),
          with[i].cpuMicrosPerTransaction(),
          without[i].cpuMicrosPerTransaction());
    }
    compare("throughput", with, without, Measured::transactionsPerSecond);
    compare("CPU a transaction", with, without, Measured::cpuMicrosPerTransaction);
    if (judging) {
      System.out.printf(
          "not judged yet when a run of %,d transactions ended: %,d at most%n",
          SESSIONS * transactions, waiting);
    }
  }

  private void compare(
      String what, Measured[] with, Measured[] without, ToDoubleFunction<Measured> of) {
    double[] logarithms = new double[PAIRS];
    double[] percent = new double[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      logarithms[i] = Math.log(of.applyAsDouble(with[i]) / of.applyAsDouble(without[i]));
      percent[i] = 100 * Math.expm1(logarithms[i]);
    }
    System.out.printf(
        "%s with %s against without: %s %%, p = %.2f (paired permutation test)%n",
        what, judging ? "judging" : "recording", spread(percent, "%+.1f"), chance(logarithms));
  }

  /** The median, and in parentheses the extremes. */
  private static String spread(double[] values, String format) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    return (format + " (" + format + " to " + format + ")")
        .formatted(median, sorted[0], sorted[last]);
  }

  /**
   * How likely a mean difference this large is if the two sides of a pair are alike: the share of
   * all ways to swap sides that give one as large.
   */
  private static double chance(double[] differences) {
    double observed = Math.abs(Arrays.stream(differences).sum());
    int asLarge = 0;
    int ways = 1 << differences.length;
    for (int swapped = 0; swapped < ways; swapped++) {
      double sum = 0;
      for (int i = 0; i < differences.length; i++) {
        sum += (swapped >> i & 1) == 0 ? differences[i] : -differences[i];
      }
      asLarge += Math.abs(sum) >= observed - 1e-12 ? 1 : 0;
    }
    return asLarge / (double) ways;
  }

  /** Two register operations, an append and a list read a transaction, written to nowhere. */
  private static double cpu() throws IOException {
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(OutputStream.nullOutputStream(), false, Map.of())) {
      AssayBinaryJournal journal = writer.journal();
      int session = writer.session(1L);
      long[] elements = new long[LIST_LENGTH];
      long origin = System.nanoTime();
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int i = 0; i < TRANSACTIONS; i++) {
        journal.begin(session);
        long start = System.nanoTime() - origin;
        journal.op(OpKind.READ, i % 1000, i - 10);
        journal.op(OpKind.WRITE, i % 1000, i);
        journal.op(OpKind.APPEND, 1000 + i / LIST_LENGTH, i);
        elements[i % LIST_LENGTH] = i;
        journal.readList(1000 + i / LIST_LENGTH, elements, 0, i % LIST_LENGTH + 1);
        journal.times(start, System.nanoTime() - origin);
        journal.end(Outcome.COMMITTED);
      }
      writer.flush();
      long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      return (after - before) / ((double) TRANSACTIONS * OPERATIONS);
    }
  }

  private Measured run(boolean with) throws IOException, ClientException {
    Path file = Files.createTempFile("assay-bench", ".assay");
    Map<String, String> metadata = Map.of("database", target.client().id());
    try (Connector connector =
            Connector.open(target, new Drivers(Drivers.standardFolder(), what -> {}), SESSIONS);
        Recorder recorder =
            judging || with ? new Recorder(file, metadata) : Recorder.discarding()) {
      RunSpec spec = Workloads.run(config, target.client());
      LiveRun run = new LiveRun(connector, spec, Workloads.live(config), recorder, new Stop());
      try (LiveCheck check = judging && with ? check(file, run) : null) {
        // What the run before left behind is not paid for by this one.
        System.gc();
        long before = PROCESS.getProcessCpuTime();
        double seconds = run.run().toNanos() / 1e9;
        double cpu = PROCESS.getProcessCpuTime() - before;
        long committed = run.tally().count(Outcome.COMMITTED);
        if (check != null) {
          long judged = check.soFar().map(Standing::judged).orElse(0L);
          waiting = Math.max(waiting, (long) SESSIONS * transactions - judged);
        }
        return new Measured(committed / seconds, cpu / 1e3 / committed);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private LiveCheck check(Path file, LiveRun run) {
    StreamedCheck.Clock clock =
        new StreamedCheck.Clock() {
          @Override
          public long began() {
            return run.began();
          }

          @Override
          public long elapsed() {
            return run.elapsed().toNanos();
          }
        };
    return new LiveCheck(file, null, CheckRequest.of(config), clock, found -> {});
  }
}
