package dev.assay.spark;

import dev.assay.check.Verdict;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.render.CheckResult;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Scalar;
import dev.assay.spark.judge.Findings;
import java.util.List;
import java.util.Map;

/** What is said of a history that the cluster did not finish. */
final class Unfinished {
  /** The last of the attempts that Spark allows would end the job, and is not made. */
  static final Verdict.Unknown LOST =
      new Verdict.Unknown(
          Verdict.Reason.MEMORY, "no task finished it: each one failed, or its executor was lost");

  private Unfinished() {}

  /** Why, by what Spark threw. */
  static Verdict.Unknown reason(Exception failure) {
    String message = failure == null ? "" : String.valueOf(failure.getMessage());
    String first = message.strip().lines().findFirst().orElse("");
    return new Verdict.Unknown(
        Verdict.Reason.MEMORY, "the cluster did not finish the job: " + first);
  }

  /** The result where nothing was established. */
  static CheckResult result(String file, CheckRequest request, Verdict.Unknown why) {
    Described unread = new Described(file, "unread", Map.of(), Scalar.bytes((Object) null));
    Findings nothing = new Findings(file, request, List.of(), unread, request.decided(Map.of()));
    nothing.giveUp(why);
    return nothing.result();
  }
}
