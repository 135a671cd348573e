package dev.assay.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.Formats;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.spark.input.Source;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** What fails on a cluster changes no answer; {@link LargeHistoryTest} loses shuffle files. */
class FaultsTest {
  private static final int TIMES = Integer.getInteger("assay.spark.kills", 10);

  @TempDir Path folder;

  private static SparkConf conf() throws IOException {
    LocalCluster.prepare();
    return OnSpark.conf(LocalCluster.MASTER);
  }

  private Path planted(int size) throws IOException {
    Path file = folder.resolve("planted.jsonl");
    History history = LargeHistoryTest.planted(size, size * 3 / 5, false);
    try (OutputStream out = Files.newOutputStream(file)) {
      Formats.byId("assay-jsonl").orElseThrow().write(history, out);
    }
    return file;
  }

  private static LargeHistory large(JavaSparkContext context, Path file) throws IOException {
    Source source =
        new Source(file.toString(), file.toUri().toString(), Files.size(file), true, false);
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    LargeHistory.Sizes sizes =
        new LargeHistory.Sizes(500, 10_000, 100_000, 8, Long.MAX_VALUE, 1 << 20);
    return new LargeHistory(context, source, request, sizes);
  }

  private static void check(JavaSparkContext context, Path file, String when) throws Exception {
    Report found = large(context, file).check().orElseThrow().report();
    String why = when + ": " + found.verdict(Level.SERIALIZABLE).why();
    assertThat(found.violated(Level.SERIALIZABLE)).as(why).isTrue();
    assertThat(found.holds(Level.SNAPSHOT_ISOLATION)).as(when).isTrue();
    assertThat(found.anomalies()).as(when).hasSize(1);
    assertThat(found.anomalies().get(0).type().id()).as(when).isEqualTo("G2-item");
    assertThat(found.anomalies().get(0).count()).as(when).isEqualTo(1);
  }

  @Test
  @Tag("extended")
  void anExecutorThatIsKilledChangesNothing() throws Exception {
    Path file = planted(20_000);
    Random random = new Random(Long.getLong("assay.spark.seed", 1));
    int killed = 0;
    try (JavaSparkContext context = new JavaSparkContext(conf())) {
      check(context, file, "nothing killed, first");
      long begin = System.nanoTime();
      check(context, file, "nothing killed");
      int millis = (int) ((System.nanoTime() - begin) / 1_000_000);
      for (int i = 0; i < TIMES; i++) {
        int moment = random.nextInt(millis);
        AtomicInteger ended = new AtomicInteger();
        Thread killer = new Thread(() -> ended.set(killAnExecutor(moment)));
        killer.start();
        check(context, file, "time " + i + ", killed after " + moment + " ms of " + millis);
        killer.join();
        killed += ended.get();
      }
    }
    assertThat(killed).isEqualTo(TIMES);
  }

  /**
   * Stages as they are submitted: their numbers, names and sizes, and how often one began again.
   */
  private static final class Stages extends SparkListener {
    private final Map<Integer, StageInfo> first = new TreeMap<>();
    private int again;

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted event) {
      StageInfo stage = event.stageInfo();
      again += stage.attemptNumber() > 0 ? 1 : 0;
      first.putIfAbsent(stage.stageId(), stage);
    }

    synchronized List<StageInfo> from(int number) {
      return first.values().stream().filter(stage -> stage.stageId() >= number).toList();
    }

    synchronized int again() {
      return again;
    }
  }

  /**
   * The executor that begins the first task of a stage, and that which begins its last, by when it
   * has written shuffle files.
   */
  @Test
  @Tag("extended")
  void anExecutorThatIsKilledInAnyOfTheStagesChangesNothing() throws Exception {
    Path file = planted(20_000);
    Stages stages = new Stages();
    SparkConf conf = conf().set("spark.plugins", KillsOnce.class.getName());
    conf.set(KillsOnce.FOLDER, folder.toString());
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      context.sc().addSparkListener(stages);
      check(context, file, "nothing killed");
      context.sc().listenerBus().waitUntilEmpty();
      List<StageInfo> all = stages.from(0);
      assertThat(all.stream().map(StageInfo::name).distinct())
          .containsExactly("survey", "finding cuts", LargeHistory.JUDGING, LargeHistory.SHOWING);
      check(context, file, "nothing killed, again");
      context.sc().listenerBus().waitUntilEmpty();
      // Numbers are given to stages that need not run again, too, so that each check has as many.
      int next = all.get(all.size() - 1).stageId() + 1;
      int count = stages.from(next).get(0).stageId();
      int begin = count;
      for (StageInfo stage : all) {
        for (int partition : new int[] {0, stage.numTasks() - 1}) {
          begin += count;
          int number = begin + stage.stageId();
          String when = stage.name() + ", stage " + stage.stageId() + ", task " + partition;
          Files.createFile(folder.resolve(KillsOnce.name(number, partition)));
          check(context, file, when);
          assertThat(folder.resolve(KillsOnce.done(number, partition))).as(when).exists();
        }
      }
      context.sc().listenerBus().waitUntilEmpty();
      assertThat(stages.again()).isPositive();
    }
  }

  /** Ends the process of an executor after some time; how many there were to choose from. */
  private static int killAnExecutor(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      return 0;
    }
    List<ProcessHandle> executors =
        ProcessHandle.current()
            .descendants()
            .filter(one -> one.info().commandLine().orElse("").contains("ExecutorBackend"))
            .toList();
    executors.stream().findFirst().ifPresent(ProcessHandle::destroyForcibly);
    return executors.isEmpty() ? 0 : 1;
  }

  /** Executors end as soon as they are up, as those do that have too little memory. */
  @Test
  @Tag("extended")
  void aJobThatCannotBeFinishedEndsInUnknown() throws Exception {
    Path file = planted(20_000);
    SparkConf conf = conf().set("spark.task.maxFailures", "2");
    AtomicBoolean ended = new AtomicBoolean();
    Thread killer =
        new Thread(
            () -> {
              while (!ended.get()) {
                killAnExecutor(20);
              }
            });
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      killer.start();
      CheckResult result = large(context, file).check().orElseThrow();
      assertThat(result.unknown()).isTrue();
      assertThat(result.report().verdict(Level.SERIALIZABLE).why())
          .contains("the cluster did not finish the job");
    } finally {
      ended.set(true);
      killer.join();
    }
  }

  /** Duplicates are run on other hosts only, so that the workers need two names of this one. */
  @Test
  @Tag("extended")
  void aSpeculativeDuplicateChangesNothing() throws Exception {
    AtomicInteger duplicates = new AtomicInteger();
    SparkConf conf = conf();
    conf.set("spark.speculation", "true");
    conf.set("spark.speculation.interval", "10ms");
    conf.set("spark.speculation.multiplier", "1.0");
    conf.set("spark.speculation.quantile", "0.1");
    conf.set("spark.speculation.minTaskRuntime", "1ms");
    conf.set("spark.speculation.efficiency.enabled", "false");
    RpcEnv master = Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1();
    String address = "spark://127.0.0.1:" + master.address().port();
    List<RpcEnv> workers = new ArrayList<>();
    for (String host : List.of("127.0.0.1", "127.0.0.2")) {
      String[] masters = {address};
      String work = folder.resolve("work-" + host).toString();
      workers.add(
          Worker.startRpcEnvAndEndpoint(
              host, 0, 0, 1, 1024, masters, work, Option.empty(), conf, Option.empty()));
    }
    try (JavaSparkContext context = new JavaSparkContext(conf.setMaster(address))) {
      context
          .sc()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd event) {
                  duplicates.addAndGet(event.taskInfo().speculative() ? 1 : 0);
                }
              });
      check(context, planted(20_000), "with speculation");
    } finally {
      workers.forEach(RpcEnv::shutdown);
      master.shutdown();
    }
    assertThat(duplicates.get()).isPositive();
  }
}
