package dev.assay.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.Report;
import dev.assay.check.Verdict;
import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import dev.assay.window.Standing;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Feeds a generated history to a monitor as fast as it takes it, and prints what that cost, one
 * {@code name=value} a line. Run in a process of its own, so that its memory can be seen.
 */
final class Monitoring {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** How often the memory in use is looked at. */
  private static final int LOOKS = 10;

  /** After how many transactions another generator goes on: each keeps all that it has written. */
  private static final long EPOCH = 1_000_000;

  /** What is asked for; nothing, to see what making the history costs. */
  private static Set<Level> levels(String name) {
    return switch (name) {
      case "nothing" -> EnumSet.noneOf(Level.class);
      case "weak" -> Level.CAUSAL.andWeaker();
      case "all" -> EnumSet.copyOf(Level.surveyed());
      default -> EnumSet.of(Level.find(name).orElseThrow());
    };
  }

  /** A block that was accepted and is not judged yet. */
  private record Accepted(long transactions, long nanos) {}

  private final long transactions;
  private final long delay;
  private final long started = System.nanoTime();
  private final Deque<Accepted> open = new ArrayDeque<>();
  private final List<Long> lags = new ArrayList<>();
  private final List<Long> megabytes = new ArrayList<>();
  private Monitor monitor;
  private long accepted;
  private long mostWaiting;

  private Monitoring(long transactions, long delay) {
    this.transactions = transactions;
    this.delay = delay;
  }

  /** Arguments: workload, transactions, levels, maximum delay in ms. */
  public static void main(String[] args) {
    long delay = Long.parseLong(args[3]) * 1_000_000;
    Monitoring monitoring = new Monitoring(Long.parseLong(args[1]), delay);
    monitoring.run(args[0], levels(args[2]));
  }

  /** Lists, registers, registers by Zipf, or registers with a single operation a transaction. */
  static WorkloadSpec spec(String workload, long transactions, long seed) {
    boolean zipf = workload.equals("zipf");
    int sessions = zipf ? 25 : 10;
    WorkloadSpec.Builder builder =
        WorkloadSpec.builder()
            .sessions(sessions)
            .transactionsPerSession(Math.toIntExact(transactions / sessions))
            .readRatio(0.5)
            .kind(workload.equals("lists") ? WorkloadKind.LIST_APPEND : WorkloadKind.REGISTER)
            .times(true)
            .seed(seed);
    if (zipf) {
      return builder.operations(8).keys(10_000).distribution(Distribution.ZIPF).build();
    }
    int most = workload.equals("single") ? 1 : 4;
    return builder.operations(1, most).keys(10).writesPerKey(32).build();
  }

  private void run(String workload, Set<Level> levels) {
    if (!levels.isEmpty()) {
      Duration lateness = Duration.ofNanos(delay).plusMillis(1);
      monitor = Monitor.open(MonitorOptions.of(levels).lateness(lateness));
    }
    Blocks blocks = new Blocks(delay, this::accept);
    for (long made = 0; made < transactions; made += EPOCH) {
      WorkloadSpec spec = spec(workload, Math.min(EPOCH, transactions - made), made);
      Generator generator = new Generator(spec, StoreLevel.SERIALIZABLE);
      generator.generate(blocks);
      blocks.next();
    }
    blocks.finish();
    print("fed", seconds(System.nanoTime() - started));
    if (monitor != null) {
      finish();
    }
    print("wall", seconds(System.nanoTime() - started));
    print("cpu", seconds(PROCESS.getProcessCpuTime()));
    print("heap", megabytes);
  }

  private void accept(History block) {
    long before = accepted;
    accepted += block.transactionCount();
    if (monitor != null) {
      monitor.accept(block);
      open.add(new Accepted(accepted, System.nanoTime()));
      Standing soFar = monitor.soFar();
      mostWaiting = Math.max(mostWaiting, soFar.waiting());
      close(soFar.judged());
    }
    if (before * LOOKS / transactions < accepted * LOOKS / transactions) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      megabytes.add((runtime.totalMemory() - runtime.freeMemory()) >> 20);
    }
  }

  private void close(long judged) {
    while (!open.isEmpty() && open.peek().transactions <= judged) {
      lags.add(System.nanoTime() - open.poll().nanos);
    }
  }

  private void finish() {
    long before = System.nanoTime();
    Report report = monitor.finish();
    close(accepted);
    print("finish", seconds(System.nanoTime() - before));
    monitor.close();
    Collections.sort(lags);
    print("lagMedian", lags.get(lags.size() / 2) / 1_000_000);
    print("lagWorst", lags.get(lags.size() - 1) / 1_000_000);
    print("waiting", mostWaiting);
    Map<String, Integer> verdicts = new TreeMap<>();
    for (Verdict verdict : report.verdicts().values()) {
      String why = verdict instanceof Verdict.Unknown open ? ": " + open.why() : "";
      verdicts.merge(verdict.id() + why, 1, Integer::sum);
    }
    print("verdicts", verdicts);
  }

  private static String seconds(long nanos) {
    return "%.2f".formatted(nanos / 1e9);
  }

  private static void print(String name, Object value) {
    System.out.println(name + "=" + value);
  }
}
