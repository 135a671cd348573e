package dev.assay.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Ends the process of an executor, once, as it begins a task that a test chose: in the folder that
 * {@link #FOLDER} names there is then a file with the numbers of its stage and of its partition.
 */
public final class KillsOnce implements SparkPlugin {
  static final String FOLDER = "spark.test.kills";

  /** Called by Spark. */
  public KillsOnce() {}

  /** What a test writes to have the executor killed that begins a task. */
  static String name(int stage, int partition) {
    return "kill-" + stage + "-" + partition;
  }

  /** What is there once that has happened. */
  static String done(int stage, int partition) {
    return "killed-" + stage + "-" + partition;
  }

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      private Path folder;

      @Override
      public void init(PluginContext context, Map<String, String> more) {
        folder = Path.of(context.conf().get(FOLDER));
      }

      @Override
      public void onTaskStart() {
        TaskContext task = TaskContext.get();
        int stage = task.stageId();
        int partition = task.partitionId();
        if (Files.exists(folder.resolve(name(stage, partition)))) {
          try {
            Files.createFile(folder.resolve(done(stage, partition)));
          } catch (FileAlreadyExistsException e) {
            return;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          Runtime.getRuntime().halt(52);
        }
      }
    };
  }
}
