package dev.assay.spark;

import dev.assay.cli.check.Cluster;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.KryoSerializer;

/** Checks histories on Apache Spark. */
public final class OnSpark implements Cluster {
  /** Spark's classes, parsed and ready, which {@code ./assay} keeps for executors beside it. */
  static final String EXECUTOR_CLASSES = "spark-executor.jsa";

  /** Called by the service loader. */
  public OnSpark() {}

  @Override
  public void check(String master, List<String> paths, Job job) throws IOException {
    job.progress("starting Spark on " + master);
    try (JavaSparkContext context = new JavaSparkContext(conf(master))) {
      context.sc().addSparkListener(new TaskProgress(job));
      new Corpus(context, job).check(paths);
    } catch (RuntimeException | IOException e) {
      throw e;
    } catch (Exception e) {
      // Spark throws its own exception, which no method declares.
      String message = String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("");
      throw new IOException("Spark did not finish: " + message, e);
    }
  }

  static SparkConf conf(String master) {
    SparkConf conf = new SparkConf();
    conf.setMaster(master);
    conf.setIfMissing("spark.app.name", "assay check");
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.serializer", KryoSerializer.class.getName());
    conf.setIfMissing("spark.kryo.registrator", Registrator.class.getName());
    // What is shuffled are trees.
    conf.setIfMissing("spark.kryo.referenceTracking", "false");
    conf.setIfMissing("spark.executor.extraJavaOptions", executorOptions());
    // A lost executor counts as a failure of each task that it ran: Spark's own limit of four is
    // soon reached where machines come and go.
    conf.setIfMissing("spark.task.maxFailures", "8");
    // Its shuffle files are lost with it, and stages begin again.
    conf.setIfMissing("spark.stage.maxConsecutiveAttempts", "8");
    String jar = ownJar();
    if (jar != null && !conf.contains("spark.jars")) {
      conf.setJars(new String[] {jar});
    }
    return conf;
  }

  private static String executorOptions() {
    // Tasks need time, not short pauses; pieces of a file are large for the regions of G1.
    String options = "-XX:+UseParallelGC";
    String home = System.getProperty("assay.home");
    Path archive = home == null ? null : Path.of(home, EXECUTOR_CLASSES).toAbsolutePath();
    // Options are divided at spaces.
    boolean isUsable =
        archive != null
            && Files.isRegularFile(archive)
            && archive.toString().chars().noneMatch(Character::isWhitespace);
    // Where it is not, or is of other jars, executors only start more slowly.
    return isUsable ? options + " -Xshare:auto -XX:SharedArchiveFile=" + archive : options;
  }

  /** The jar of this class, which executors need too; null where it runs from a folder. */
  private static String ownJar() {
    try {
      Path own = Path.of(OnSpark.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isRegularFile(own) ? own.toString() : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
