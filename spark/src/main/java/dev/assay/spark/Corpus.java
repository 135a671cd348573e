package dev.assay.spark;

import dev.assay.cli.Cluster;
import dev.assay.cli.RemoteCheck;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;

/** Checks many histories, each in one task. Small ones are packed together. */
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

    Found(int number, RemoteCheck.Answer answer) {
      this.number = number;
      this.answer = answer;
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
    Found[] found = sources.isEmpty() ? new Found[0] : checkSmall(sources);
    for (Found one : found) {
      if (one.answer != null) {
        job.add(one.answer);
      }
    }
  }

  private Found[] checkSmall(List<Source> sources) {
    List<ArrayList<Integer>> packs = packed(sources);
    List<String> options = new ArrayList<>(job.options());
    SerializableConf hadoop = new SerializableConf(context.hadoopConfiguration());
    ArrayList<Source> all = new ArrayList<>(sources);
    context.sc().setJobDescription("checking");
    List<Found> answers =
        context
            .parallelize(packs, packs.size())
            .flatMap(
                pack -> {
                  List<Found> found = new ArrayList<>();
                  for (int number : pack) {
                    found.add(new Found(number, checked(all.get(number), options, hadoop)));
                  }
                  return found.iterator();
                })
            .collect();
    Found[] byNumber = new Found[sources.size()];
    answers.forEach(answer -> byNumber[answer.number] = answer);
    return byNumber;
  }

  /** Files in order, as many together as make a task worth its start. */
  private List<ArrayList<Integer>> packed(List<Source> sources) {
    long bytes = 0;
    for (Source source : sources) {
      bytes += source.bytes;
    }
    int slots = Math.max(1, context.defaultParallelism() * PACKS_PER_SLOT);
    long pack = Math.min(PACK_BYTES, bytes / slots + 1);
    int most = sources.size() / slots + 1;
    List<ArrayList<Integer>> packs = new ArrayList<>();
    long open = Long.MAX_VALUE;
    for (int number = 0; number < sources.size(); number++) {
      if (open >= pack || packs.get(packs.size() - 1).size() >= most) {
        packs.add(new ArrayList<>());
        open = 0;
      }
      packs.get(packs.size() - 1).add(number);
      open += sources.get(number).bytes;
    }
    return packs;
  }

  private static RemoteCheck.Answer checked(
      Source source, List<String> options, SerializableConf hadoop) throws IOException {
    Input input = source.whole(hadoop.value());
    if (!source.isNamed) {
      try {
        if (Formats.detect(input).isEmpty()) {
          return null;
        }
      } catch (ParseException e) {
        // The check says what is wrong.
      }
    }
    return RemoteCheck.check(options, input);
  }
}
