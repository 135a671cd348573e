package dev.assay.spark;

import dev.assay.cli.check.Cluster;
import dev.assay.render.Plain;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Shows how far Spark is, by its own events. */
final class TaskProgress extends SparkListener {
  private final Cluster.Job job;
  private String stage = "";
  private int tasks;
  private int done;

  /** By stage: nanoseconds of CPU, bytes of shuffle files written, and bytes spilled to disk. */
  private final Map<Integer, long[]> used = new HashMap<>();

  TaskProgress(Cluster.Job job) {
    this.job = job;
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
    stage = event.stageInfo().name();
    tasks = event.stageInfo().numTasks();
    done = 0;
    show();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    done++;
    show();
    TaskMetrics metrics = event.taskMetrics();
    if (metrics != null) {
      long[] sums = used.computeIfAbsent(event.stageId(), id -> new long[3]);
      sums[0] += metrics.executorCpuTime();
      sums[1] += metrics.shuffleWriteMetrics().bytesWritten();
      sums[2] += metrics.diskBytesSpilled();
    }
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted event) {
    long[] sums = used.getOrDefault(event.stageInfo().stageId(), new long[3]);
    job.detail(
        "stage %d, %s: %d tasks, %s of CPU, %s written for a shuffle, %s spilled"
            .formatted(
                event.stageInfo().stageId(),
                event.stageInfo().name(),
                event.stageInfo().numTasks(),
                Plain.duration(sums[0] / 1_000_000),
                Plain.bytes(sums[1]),
                Plain.bytes(sums[2])));
  }

  private void show() {
    job.progress(stage + ": " + Math.min(done, tasks) + " of " + tasks + " tasks");
  }
}
