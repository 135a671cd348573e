package dev.assay.spark;

import dev.assay.cli.Cluster;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Shows how far Spark is, by its own events. */
final class TaskProgress extends SparkListener {
  private final Cluster.Job job;
  private String stage = "";
  private int tasks;
  private int done;

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
  }

  private void show() {
    job.progress(stage + ": " + Math.min(done, tasks) + " of " + tasks + " tasks");
  }
}
