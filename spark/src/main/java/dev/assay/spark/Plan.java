package dev.assay.spark;

import dev.assay.cli.check.Cluster;
import dev.assay.collect.judge.LargeCheck;
import dev.assay.collect.judge.LargeCheck.Extent;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.render.Plain;
import dev.assay.spark.input.SerializableConf;
import dev.assay.spark.input.Source;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Says which histories many tasks are to check, and which one task each: by how much there is in a
 * history, the memory of a task, and how many tasks run at the same time.
 */
final class Plan {
  static final String SIZING = "sizing histories";

  /** Smaller files are histories that fit into any task. */
  private static final long LEAST_BYTES = 4 << 20;

  /** Where nothing more is known of a history than its size. */
  private static final long LARGE_BYTES = 512L << 20;

  /** The memory that whole checks were measured to need, as a multiple of the least. */
  private static final double MEMORY_TIMES = 2.5;

  /** The time that tasks take in all to check a history together, as a multiple of that of one. */
  private static final double WORK_TIMES = 5;

  /** A whole check of fewer operations takes no longer than the stages take to start. */
  private static final double LEAST_OPERATIONS = 20e6;

  /** How long executors are waited for that are about to come up. */
  private static final int SETTLED_MILLIS = 1_000;

  private static final int WAIT_MILLIS = 10_000;

  private final JavaSparkContext context;
  private final Cluster.Job job;
  private final List<Source> sources;

  Plan(JavaSparkContext context, Cluster.Job job, List<Source> sources) {
    this.context = context;
    this.job = job;
    this.sources = sources;
  }

  /**
   * What runs tasks.
   *
   * @param memory the heap that one task has to itself
   * @param slots how many tasks run at the same time
   */
  record Machines(long memory, int slots) {
    /**
     * Whether a history is to be divided.
     *
     * @param extent about how much there is in it
     * @param held how many bytes of the file a whole check holds
     * @param all the operations of all histories that may be divided
     */
    boolean divide(Extent extent, long held, double all) {
      return need(extent, held) > memory || isFasterDivided(extent, all);
    }

    /** Whether its tasks have checked everything before one task has checked the whole. */
    boolean isFasterDivided(Extent extent, double all) {
      return extent.operations() >= LEAST_OPERATIONS
          && extent.operations() > WORK_TIMES * Math.max(all, extent.operations()) / slots;
    }

    static double need(Extent extent, long held) {
      return MEMORY_TIMES * extent.leastBytes() + held;
    }
  }

  /**
   * What a task found out about a history.
   *
   * @param number the history's
   * @param extent about how much there is in it; null where its beginning does not say
   * @param memory the heap where the task ran
   */
  record Size(int number, Extent extent, long memory) implements Serializable {}

  /** The numbers of those to divide. */
  Set<Integer> divided() {
    Set<Integer> divided = new HashSet<>();
    List<Integer> candidates = new ArrayList<>();
    boolean isGiven = context.getConf().contains("spark.assay.large");
    long least =
        isGiven ? context.getConf().getSizeAsBytes("spark.assay.large", "512m") : LEAST_BYTES;
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i).bytes >= least && !sources.get(i).isFolder) {
        candidates.add(i);
      }
    }
    if (candidates.isEmpty() || LargeCheck.obstacle(job.request()) != null) {
      return divided;
    }
    if (isGiven) {
      candidates.forEach(i -> say(i, "divided, by spark.assay.large"));
      divided.addAll(candidates);
      return divided;
    }
    Map<Integer, Size> sized = sized(candidates);
    double all = 0;
    boolean mayBeFaster = false;
    long memory = Long.MAX_VALUE;
    for (Size size : sized.values()) {
      if (size.extent != null) {
        all += size.extent.operations();
        mayBeFaster |= size.extent.operations() >= LEAST_OPERATIONS;
      }
      memory = Math.min(memory, size.memory);
    }
    Machines machines = machines(memory, mayBeFaster);
    for (int i : candidates) {
      if (isDivided(i, sized.get(i), machines, all)) {
        divided.add(i);
      }
    }
    return divided;
  }

  private boolean isDivided(int number, Size size, Machines machines, double all) {
    Source source = sources.get(number);
    if (size == null || size.extent == null) {
      return source.bytes >= LARGE_BYTES;
    }
    Extent extent = size.extent;
    long held = source.isLocal() ? 0 : source.bytes;
    boolean divides = machines.divide(extent, held, all) || held > Integer.MAX_VALUE;
    String why =
        "about %s need %s, a task has %s of memory; %s at the same time"
            .formatted(
                Plain.count((long) extent.operations(), "operation"),
                Plain.bytes((long) Machines.need(extent, held)),
                Plain.bytes(machines.memory),
                Plain.count(machines.slots, "task"));
    say(number, (divides ? "divided: " : "whole, by one task: ") + why);
    return divides;
  }

  private void say(int number, String what) {
    job.detail("plan for " + sources.get(number).name + ": " + what);
  }

  /** Looks at the beginning of each of some histories, in tasks. */
  private Map<Integer, Size> sized(List<Integer> candidates) {
    HistoryFormat named = job.request().reading().format();
    String format = named == null ? null : named.id();
    SerializableConf hadoop = new SerializableConf(context.hadoopConfiguration());
    ArrayList<Source> all = new ArrayList<>(sources);
    int tries = Math.max(1, context.getConf().getInt("spark.task.maxFailures", 4) - 1);
    Map<Integer, Size> sized = new TreeMap<>();
    try {
      context.setCallSite(SIZING);
      int tasks = Math.min(candidates.size(), 4 * context.defaultParallelism());
      context
          .parallelize(candidates, tasks)
          // One more failure would end the job.
          .filter(number -> TaskContext.get().attemptNumber() < tries)
          .map(number -> sized(number, all.get(number), format, hadoop))
          .collect()
          .forEach(size -> sized.put(size.number, size));
    } catch (Exception e) {
      // Spark throws its own exception, which no method declares. What is wrong shows in the check.
      return sized;
    }
    return sized;
  }

  private static Size sized(int number, Source source, String format, SerializableConf hadoop)
      throws IOException {
    long memory = Runtime.getRuntime().maxMemory();
    HistoryFormat named = format == null ? null : Formats.byId(format).orElseThrow();
    Extent extent =
        LargeCheck.extent(source.stream(hadoop.value()), source.bytes, named, LARGE_BYTES);
    return new Size(number, extent, memory);
  }

  /**
   * What runs tasks.
   *
   * @param memory the heap of an executor
   * @param waits whether to wait for executors that are about to come up
   */
  private Machines machines(long memory, boolean waits) {
    List<ExecutorSummary> executors = executors();
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    long settled = System.currentTimeMillis() + SETTLED_MILLIS;
    while (waits && !context.isLocal() && System.currentTimeMillis() < Math.min(end, settled)) {
      try {
        Thread.sleep(SETTLED_MILLIS / 10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      List<ExecutorSummary> now = executors();
      settled =
          now.size() == executors.size() ? settled : System.currentTimeMillis() + SETTLED_MILLIS;
      executors = now;
    }
    int slots = executors.stream().mapToInt(ExecutorSummary::maxTasks).sum();
    int together = executors.stream().mapToInt(ExecutorSummary::maxTasks).max().orElse(1);
    return new Machines(memory / Math.max(1, together), Math.max(1, slots));
  }

  /** Those that run tasks. */
  private List<ExecutorSummary> executors() {
    return CollectionConverters.asJava(context.sc().statusStore().executorList(true)).stream()
        .filter(executor -> executor.maxTasks() > 0)
        .toList();
  }
}
