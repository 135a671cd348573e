package dev.assay.spark;

import dev.assay.check.Budget;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.follow.Regrouped;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.spark.cut.Access;
import dev.assay.spark.cut.Accesses;
import dev.assay.spark.cut.Cuts;
import dev.assay.spark.cut.Cutting;
import dev.assay.spark.cut.Packed;
import dev.assay.spark.input.Block;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Scalar;
import dev.assay.spark.input.Split;
import dev.assay.spark.judge.Findings;
import dev.assay.spark.judge.Judged;
import dev.assay.spark.judge.Judging;
import dev.assay.spark.judge.Rounds;
import dev.assay.spark.judge.WindowBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import scala.Tuple2;

/** What tasks do, one after another in this process: the same code without Spark between. */
final class InOneProcess {
  private final List<Block> blocks = new ArrayList<>();

  /** The number of tasks of a stage. */
  private final int tasks;

  /** What each task knows of the names that it was sent. */
  private final List<byte[]> accesses = new ArrayList<>();

  private final Described described;
  private final Set<Level> levels;
  private final long[] boundaries;
  private final long[] samples;
  private final long context;
  private Cuts cuts;

  /**
   * Reads a history in blocks of several splits.
   *
   * @param window about how many transactions a window is to have
   * @param context about how many before and after a violation decide how it is called
   */
  InOneProcess(History history, int window, long context, Set<Level> levels, Random random) {
    this.tasks = 1 + random.nextInt(5);
    this.context = context;
    this.levels = levels;
    this.described =
        new Described(
            "h",
            "memory",
            history.metadata(),
            Scalar.bytes(history.values().get(history.initialOfAll())));
    for (int from = 0, split = 0; from < history.transactionCount(); split++) {
      int to = Math.min(history.transactionCount(), from + 1 + random.nextInt(40));
      Regrouped some = new Regrouped();
      for (int txn = from; txn < to; txn++) {
        some.add(history, txn, 0, History.ABSENT);
      }
      Split of = Split.of(null, split, 0, 0, "assay-jsonl").timed(history.hasTimes());
      blocks.add(new Block(some.take(), of, 0, 0));
      from = to;
    }
    samples =
        blocks.stream()
            .flatMapToLong(block -> IntStream.range(0, block.size()).mapToLong(block::position))
            .sorted()
            .toArray();
    boundaries =
        IntStream.iterate(window, i -> i < samples.length, i -> i + window)
            .mapToLong(i -> samples[i])
            .filter(position -> position > samples[0])
            .distinct()
            .toArray();
  }

  /** The number of windows in the end. */
  int windows() {
    return cuts.windows();
  }

  CheckResult check() throws Exception {
    List<Tuple2<Integer, byte[]>> sent = new ArrayList<>();
    for (Block block : blocks) {
      Packed.sent(Accesses.of(block, boundaries), tasks).forEachRemaining(sent::add);
    }
    for (List<byte[]> own : received(sent)) {
      Packed.merged(own.iterator()).forEachRemaining(accesses::add);
    }
    CheckRequest request = CheckRequest.of(RunConfig.empty(Use.RUN));
    Findings findings = new Findings("h", request, List.of(), described, levels);
    Rounds rounds = new Rounds(samples, 1, Long.MAX_VALUE, context);
    cuts = rounds.run(cuts(), findings, (c, a) -> judge(c, a, false));
    for (Map.Entry<Cuts, boolean[]> asked : findings.exhibiting(cuts, rounds).entrySet()) {
      findings.show(judge(asked.getKey(), asked.getValue(), true));
    }
    return findings.result();
  }

  /** What a shuffle brings to each task. */
  private List<List<byte[]>> received(List<Tuple2<Integer, byte[]>> sent) {
    List<List<byte[]>> received = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      received.add(new ArrayList<>());
    }
    sent.forEach(pair -> received.get(pair._1).add(pair._2));
    return received;
  }

  private Cuts cuts() {
    List<Tuple2<Integer, byte[]>> byTime = new ArrayList<>();
    for (byte[] pack : accesses) {
      Cutting.versions(List.of(pack).iterator(), boundaries, tasks).forEachRemaining(byTime::add);
    }
    List<Tuple2<Integer, byte[]>> byKey = new ArrayList<>();
    for (List<byte[]> own : received(byTime)) {
      Cutting.joined(own.iterator(), tasks).forEachRemaining(byKey::add);
    }
    Map<Integer, List<long[]>> byBucket = new HashMap<>();
    for (List<byte[]> own : received(byKey)) {
      Cutting.pieces(own.iterator(), boundaries)
          .forEachRemaining(
              piece -> byBucket.computeIfAbsent(piece._1, b -> new ArrayList<>()).add(piece._2));
    }
    byBucket.remove(Cutting.KEYS);
    long[] found = boundaries.clone();
    byBucket.forEach((bucket, own) -> found[bucket - 1] = Cutting.cutIn(bucket, own, boundaries));
    return new Cuts(boundaries, Arrays.stream(found).filter(c -> c != Access.START).toArray());
  }

  private List<Judged> judge(Cuts now, boolean[] asked, boolean shows) throws Exception {
    TreeMap<Integer, List<Object>> windows = new TreeMap<>();
    for (Block block : blocks) {
      WindowBlock.of(block, now, asked)
          .forEachRemaining(
              pair -> windows.computeIfAbsent(pair._1, w -> new ArrayList<>()).add(pair._2));
    }
    for (byte[] pack : accesses) {
      Judging.carried(pack, now, asked)
          .forEachRemaining(
              pair -> windows.computeIfAbsent(pair._1, w -> new ArrayList<>()).add(pair._2));
    }
    List<Judged> judged = new ArrayList<>();
    windows.forEach(
        (number, content) -> {
          Judged one =
              Judging.judged(number, content, described, levels, shows, Budget.unlimited());
          if (!one.isFine()) {
            judged.add(one);
          }
        });
    return judged;
  }
}
