package dev.assay.spark;

import dev.assay.check.Verdict;
import dev.assay.cli.check.Cluster;
import dev.assay.cli.check.RemoteCheck;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import dev.assay.spark.input.SerializableConf;
import dev.assay.spark.input.Source;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Checks many histories, each in one task. Small ones are packed together; one that is enormous is
 * checked by many tasks.
 */
final class Corpus {
  /** How much of small histories goes into one task. */
  private static final long PACK_BYTES = 32 << 20;

  private static final int PACKS_PER_SLOT = 4;

  private final JavaSparkContext context;
  private final Cluster.Job job;

  Corpus(JavaSparkContext context, Cluster.Job job) {
    this.context = context;
    this.job = job;
  }

  /** What a task found of a file. */
  private static final class Found implements Serializable {
    private static final long serialVersionUID = 1;

    final int number;

    /** Null for a file of a folder that is no history. */
    final RemoteCheck.Answer answer;

    /** Why its file system did not give it; null if it did. */
    final ParseException unreadable;

    Found(int number, RemoteCheck.Answer answer, ParseException unreadable) {
      this.number = number;
      this.answer = answer;
      this.unreadable = unreadable;
    }
  }

  void check(List<String> paths) throws IOException {
    Listing listing = new Listing(context.hadoopConfiguration());
    for (String path : paths) {
      listing.add(path);
    }
    for (ParseException e : listing.unreadable()) {
      job.add(e);
    }
    List<Source> sources = listing.found();
    Set<Integer> divided = new Plan(context, job, sources).divided();
    Map<Integer, Outcome> outcomes = new HashMap<>();
    List<Integer> small = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      Outcome outcome = divided.contains(i) ? large(sources.get(i)) : null;
      if (outcome == null) {
        small.add(i);
      } else {
        outcomes.put(i, outcome);
      }
    }
    if (!small.isEmpty()) {
      checkSmall(sources, small, outcomes);
    }
    for (int i = 0; i < sources.size(); i++) {
      outcomes.get(i).show();
    }
  }

  private void show(Found found) throws IOException {
    if (found.unreadable != null) {
      job.add(found.unreadable);
    } else if (found.answer != null) {
      job.add(found.answer);
    }
  }

  /** Shows what was found out about a history. */
  private interface Outcome {
    void show() throws IOException;
  }

  /** Checks a history by many tasks; null if it cannot be divided. */
  private Outcome large(Source source) throws IOException {
    try {
      Optional<CheckResult> result =
          new LargeHistory(context, source, job.request(), LargeHistory.Sizes.of(context)).check();
      if (result.isEmpty()) {
        job.detail(source.name + " cannot be divided: one task checks it");
        return null;
      }
      return () -> job.add(result.get());
    } catch (ParseException e) {
      return () -> job.add(e);
    } catch (RuntimeException e) {
      return () -> job.add(source.name, e);
    }
  }

  /**
   * Checks histories, each in one task; those that no task finishes are unknown. A history that
   * ends each executor is not to take others with it: its pack is given up, and those in it are
   * checked once more, each alone.
   */
  private void checkSmall(
      List<Source> sources, List<Integer> small, Map<Integer, Outcome> outcomes) {
    List<ArrayList<Integer>> packs = packed(sources, small);
    Exception failure = checkPacks(sources, packs, outcomes);
    List<ArrayList<Integer>> left = new ArrayList<>();
    packs.stream()
        .filter(pack -> pack.size() > 1 && !outcomes.containsKey(pack.get(0)))
        .forEach(pack -> pack.forEach(number -> left.add(new ArrayList<>(List.of(number)))));
    if (failure == null && !left.isEmpty()) {
      failure = checkPacks(sources, left, outcomes);
    }
    Verdict.Unknown why = failure == null ? Unfinished.LOST : Unfinished.reason(failure);
    for (int number : small) {
      CheckResult unknown = Unfinished.result(sources.get(number).name, job.request(), why);
      outcomes.putIfAbsent(number, () -> job.add(unknown));
    }
  }

  /** Checks histories, those of a pack in one task; why Spark gave up, null if it did not. */
  private Exception checkPacks(
      List<Source> sources, List<ArrayList<Integer>> packs, Map<Integer, Outcome> outcomes) {
    List<String> options = new ArrayList<>(job.options());
    SerializableConf hadoop = new SerializableConf(context.hadoopConfiguration());
    ArrayList<Source> all = new ArrayList<>(sources);
    // What tasks found before a job fails is there, unlike the result of the job.
    CollectionAccumulator<Found> found = new CollectionAccumulator<>();
    // Without executors of their own a task that fails once ends the job, whatever the setting
    // says.
    int given = context.isLocal() ? 1 : context.getConf().getInt("spark.task.maxFailures", 4);
    int tries = Math.max(1, given - 1);
    Exception failure = null;
    try {
      context.sc().register(found, "found");
      context.setCallSite("checking histories");
      context
          .parallelize(packs, packs.size())
          .foreach(
              pack -> {
                // One more failure would end the job.
                int attempt = TaskContext.get().attemptNumber();
                if (attempt < tries) {
                  for (int number : pack) {
                    boolean isLast = attempt + 1 == tries;
                    found.add(checked(number, all.get(number), options, hadoop, isLast));
                  }
                }
              });
    } catch (Exception e) {
      // Spark throws its own exception, which no method declares.
      failure = e;
    }
    for (Found one : found.value()) {
      outcomes.put(one.number, () -> show(one));
    }
    return failure;
  }

  /** Files in order, as many together as make a task worth its start. */
  private List<ArrayList<Integer>> packed(List<Source> sources, List<Integer> small) {
    long bytes = 0;
    for (int number : small) {
      bytes += sources.get(number).bytes;
    }
    int slots = Math.max(1, context.defaultParallelism() * PACKS_PER_SLOT);
    long pack = Math.min(PACK_BYTES, bytes / slots + 1);
    int most = small.size() / slots + 1;
    List<ArrayList<Integer>> packs = new ArrayList<>();
    long open = Long.MAX_VALUE;
    for (int number : small) {
      if (open >= pack || packs.get(packs.size() - 1).size() >= most) {
        packs.add(new ArrayList<>());
        open = 0;
      }
      packs.get(packs.size() - 1).add(number);
      open += sources.get(number).bytes;
    }
    return packs;
  }

  /**
   * Checks a history.
   *
   * @param isLast whether there is no other attempt if its file system does not give it
   */
  private static Found checked(
      int number, Source source, List<String> options, SerializableConf hadoop, boolean isLast)
      throws IOException {
    Input input;
    try {
      input = source.whole(hadoop.value());
    } catch (IOException e) {
      if (!isLast) {
        throw e;
      }
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      return new Found(
          number, null, ParseException.ofFile(source.name, message, "a readable file", null));
    }
    if (!source.isNamed) {
      try {
        if (Formats.detect(input).isEmpty()) {
          return new Found(number, null, null);
        }
      } catch (ParseException e) {
        // The check says what is wrong.
      }
    }
    return new Found(number, RemoteCheck.check(options, input), null);
  }
}
