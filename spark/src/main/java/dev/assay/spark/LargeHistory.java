package dev.assay.spark;

import dev.assay.check.Verdict;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.parquet.WrongParquet;
import dev.assay.history.Origin;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.spark.cut.Cuts;
import dev.assay.spark.cut.Cutting;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Reading;
import dev.assay.spark.input.SerializableConf;
import dev.assay.spark.input.Source;
import dev.assay.spark.input.Split;
import dev.assay.spark.input.Splitting;
import dev.assay.spark.input.Survey;
import dev.assay.spark.judge.Findings;
import dev.assay.spark.judge.Judged;
import dev.assay.spark.judge.Judging;
import dev.assay.spark.judge.Rounds;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Checks one history that is larger than a machine, as {@code docs/scale.md} describes: a survey, a
 * shuffle by key that finds clean cuts, a shuffle by window. The history never comes to the driver.
 */
final class LargeHistory {
  /** How often jobs are cancelled once time ran out: another may just have begun. */
  private static final long AGAIN_MILLIS = 100;

  /** What jobs do, as Spark and the user are told. */
  static final String JUDGING = "judging windows";

  static final String JOINING = "judging joined windows";

  static final String SHOWING = "showing violations";

  private final JavaSparkContext context;
  private final Source source;
  private final CheckRequest request;
  private final Reading reading;

  private final Sizes sizes;
  private final long deadlineMillis;
  private List<Survey> surveys;
  private Cuts cuts;

  /**
   * How a history is divided.
   *
   * @param window about how many transactions a window is to have
   * @param context about how many before and after a violation decide how it is called
   * @param largestWindow how many it may have
   * @param partitions the least number of parts that shuffles make
   * @param share about how many operations may be in one of them
   * @param split the maximum number of bytes of the input that one task reads
   */
  record Sizes(
      int window, long context, long largestWindow, int partitions, long share, long split) {
    /** The maximum number of parts: each shuffle makes a file for each of them and each split. */
    private static final int MOST_PARTITIONS = 10_000;

    /** The maximum number of bytes that one task reads of a file: each task is to have some. */
    long splitOf(long bytes) {
      return Math.min(split, bytes / partitions + 1);
    }

    /** The number of parts that a shuffle makes of a history. */
    int partitionsOf(long operations) {
      return (int) Math.max(partitions, Math.min(MOST_PARTITIONS, operations / share));
    }

    static Sizes of(JavaSparkContext context) {
      SparkConf conf = context.getConf();
      return new Sizes(
          conf.getInt("spark.assay.window", 10_000),
          conf.getLong("spark.assay.context", 10_000),
          conf.getLong("spark.assay.largestWindow", 1_000_000),
          conf.getInt("spark.assay.partitions", Math.max(2, context.defaultParallelism() * 2)),
          conf.contains("spark.assay.partitions") ? Long.MAX_VALUE : 500_000,
          conf.getSizeAsBytes("spark.assay.split", "32m"));
    }
  }

  LargeHistory(JavaSparkContext context, Source source, CheckRequest request, Sizes sizes) {
    this.sizes = sizes;
    this.context = context;
    this.source = source;
    this.request = request;
    HistoryFormat named = request.reading().format();
    this.reading =
        new Reading(
            new SerializableConf(context.hadoopConfiguration()), named == null ? null : named.id());
    this.deadlineMillis =
        System.currentTimeMillis() + request.config().get(Parameters.TIMEOUT).toMillis();
  }

  /** The number of windows in the end. */
  int windows() {
    return cuts.windows();
  }

  /** The result; empty if the history cannot be divided and has to be checked by one task. */
  Optional<CheckResult> check() throws IOException, ParseException {
    List<Split> splits = splits();
    if (splits.isEmpty()) {
      return Optional.empty();
    }
    Timer timer = new Timer("deadline", true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            context.sc().cancelAllJobs();
          }
        },
        Math.max(0, deadlineMillis - System.currentTimeMillis()),
        AGAIN_MILLIS);
    try {
      return surveyedAndJudged(splits);
    } catch (IOException | ParseException e) {
      throw e;
    } catch (Exception e) {
      rethrowDefect(e);
      // Spark throws its own exception, which no method declares.
      return Optional.of(Unfinished.result(source.name, request, reason(e)));
    } finally {
      timer.cancel();
    }
  }

  private Optional<CheckResult> surveyedAndJudged(List<Split> given) throws Exception {
    List<Split> splits = given;
    surveys = survey(splits);
    boolean isDivided = splits.size() > 1 || splits.get(0).range != null;
    if (isDivided && surveys.stream().anyMatch(survey -> survey.isOdd)) {
      splits = List.of(Split.whole(source));
      surveys = survey(splits);
    }
    requireTransactions();
    Map<String, String> metadata = Survey.metadata(surveys);
    boolean divides =
        surveys.stream().allMatch(survey -> survey.isSupported)
            && !metadata.containsKey(Origin.CUT_SHORT);
    return divides ? Optional.of(judged(splits, metadata)) : Optional.empty();
  }

  // ---- the input

  private List<Split> splits() throws IOException, ParseException {
    try (InputStream in = source.open(context.hadoopConfiguration())) {
      byte[] head = in.readNBytes(Input.HEAD_BYTES);
      HistoryFormat named = request.reading().format();
      HistoryFormat format =
          named != null ? named : Formats.detect(Input.of(source.name, head)).orElse(null);
      return format == null
          ? List.of()
          : new Splitting(source, context.hadoopConfiguration(), sizes.splitOf(source.bytes))
              .of(format);
    } catch (WrongParquet e) {
      throw e.of(source.name);
    }
  }

  private JavaRDD<Split> distributed(List<Split> splits) {
    return context.parallelize(splits, splits.size());
  }

  private List<Survey> survey(List<Split> splits) {
    context.setCallSite("survey");
    Reading how = reading;
    int sample = sample();
    List<Survey> found =
        new ArrayList<>(distributed(splits).map(split -> Survey.of(split, how, sample)).collect());
    found.sort(Comparator.comparingInt(survey -> survey.index));
    return found;
  }

  private void requireTransactions() throws ParseException {
    long lines = 0;
    for (Survey survey : surveys) {
      if (survey.error != null) {
        // The reader of a later split has read the first line, too.
        throw survey.index == 0 ? survey.error : survey.error.after(lines - 1);
      }
      lines += survey.lines;
    }
    if (surveys.stream().mapToLong(Survey::transactions).sum() == 0) {
      throw ParseException.ofFile(
          source.name, "is a history without transactions", "at least one transaction", null);
    }
  }

  private int partitions() {
    return sizes.partitionsOf(surveys.stream().mapToLong(survey -> survey.operations).sum());
  }

  private int sample() {
    return Math.max(1, Math.min(256, sizes.window / 4));
  }

  /** The positions of one in some transactions, sorted. */
  private long[] samples() {
    boolean timed = isTimed();
    return surveys.stream()
        .flatMapToLong(
            survey -> Arrays.stream(timed ? survey.times : survey.numbers, 0, survey.samples))
        .sorted()
        .toArray();
  }

  private boolean isTimed() {
    return surveys.stream().anyMatch(survey -> survey.timed);
  }

  /** Positions about a window apart. */
  private long[] boundaries() {
    long[] samples = samples();
    int step = Math.max(1, sizes.window / sample());
    List<Long> boundaries = new ArrayList<>();
    for (int i = step; i < samples.length; i += step) {
      long last = boundaries.isEmpty() ? samples[0] : boundaries.get(boundaries.size() - 1);
      if (samples[i] > last) {
        boundaries.add(samples[i]);
      }
    }
    return boundaries.stream().mapToLong(Long::longValue).toArray();
  }

  // ---- windows

  private CheckResult judged(List<Split> untimed, Map<String, String> metadata) {
    context.setCallSite("finding cuts");
    boolean timed = isTimed();
    JavaRDD<Split> splits = distributed(untimed.stream().map(split -> split.timed(timed)).toList());
    Survey last = surveys.get(surveys.size() - 1);
    Described described =
        new Described(source.name, last.format, metadata, surveys.get(0).initialOfAll);
    Set<Level> levels = request.decided(metadata);
    CollectionAccumulator<Judged> sofar = new CollectionAccumulator<>();
    context.sc().register(sofar, "found so far");
    Findings findings = new Findings(source.name, request, surveys, described, levels);
    int partitions = partitions();
    Cutting cutting = new Cutting(splits, reading, boundaries(), partitions);
    Judging judging =
        new Judging(described, reading, levels, deadlineMillis, splits, cutting.accesses(), sofar);
    Rounds rounds = new Rounds(samples(), sample(), sizes.largestWindow, sizes.context);
    boolean isDecided = false;
    try {
      Cuts first = cutting.cuts();
      findings.keys(cutting.keys());
      cuts =
          rounds.run(
              first,
              findings,
              (now, asked) -> {
                context.setCallSite(now == first ? JUDGING : JOINING);
                return judging.judge(now, asked, false, partitions);
              });
      isDecided = true;
      context.setCallSite(SHOWING);
      show(judging, findings, rounds);
    } catch (Exception e) {
      rethrowDefect(e);
      // Spark throws its own exception, which no method declares.
      Verdict.Unknown why = reason(e);
      if (!isDecided) {
        findings.addAll(sofar.value());
        findings.giveUp(why);
      }
      findings.unshown(why);
    } finally {
      if (!context.sc().isStopped()) {
        cutting.accesses().unpersist();
      }
    }
    return findings.result();
  }

  /** Spark stops its context when the cluster gives up, and calls of it fail from then on. */
  private void rethrowDefect(Exception e) {
    if (e instanceof RuntimeException defect && !context.sc().isStopped()) {
      throw defect;
    }
  }

  private Verdict.Unknown reason(Exception e) {
    if (System.currentTimeMillis() >= deadlineMillis) {
      return Verdict.Unknown.TIMEOUT;
    }
    return Unfinished.reason(e);
  }

  /** Has a window of each kind of anomaly show it. */
  private void show(Judging judging, Findings findings, Rounds rounds) throws Exception {
    for (Map.Entry<Cuts, boolean[]> asked : findings.exhibiting(cuts, rounds).entrySet()) {
      findings.show(judging.judge(asked.getKey(), asked.getValue(), true, partitions()));
    }
  }
}
