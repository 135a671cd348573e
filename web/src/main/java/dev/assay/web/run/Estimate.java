package dev.assay.web.run;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.ValueType;
import dev.assay.collect.db.vendor.Databases;
import java.time.Duration;
import java.util.List;

/**
 * About how long runs take, to be shown before they are started. The constants are what a small
 * machine needs; real times may differ by a factor of two.
 */
public final class Estimate {
  /** What a process costs before it does anything. */
  private static final double START_SECONDS = 1;

  private static final double SERVER_SECONDS = 4;
  private static final double OPERATIONS_PER_SECOND = 40_000;
  private static final double TRANSACTIONS_PER_SECOND = 800;

  private Estimate() {}

  /** The seconds that all runs take together; infinite where nothing ends them. */
  public static double seconds(List<RunConfig> runs) {
    return runs.stream().mapToDouble(Estimate::seconds).sum();
  }

  private static double seconds(RunConfig run) {
    int checkers = RunPlan.checkers(run).size();
    if (run.source() == Source.UPLOAD) {
      return 2 * START_SECONDS * checkers;
    }
    double transactions = (double) run.get(Parameters.SESSIONS) * perSession(run);
    double recording = START_SECONDS;
    if (run.source().isLive()) {
      boolean started = run.source() == Source.DATABASE && isServer(run);
      double working = working(run, transactions);
      recording += working + (started ? SERVER_SECONDS : 0);
      transactions =
          run.has(Parameters.TRANSACTIONS) ? transactions : working * TRANSACTIONS_PER_SECOND;
    }
    double operations = transactions * middle(run.get(Parameters.OPERATIONS));
    double checking = START_SECONDS + operations / OPERATIONS_PER_SECOND;
    return recording + checkers * checking;
  }

  private static boolean isServer(RunConfig run) {
    return Databases.byId(run.given(Parameters.DATABASE))
        .map(database -> !List.of("h2", "hsqldb", "derby", "sqlite").contains(database.id()))
        .orElse(false);
  }

  private static int perSession(RunConfig run) {
    Integer asked = run.get(Parameters.TRANSACTIONS);
    return asked == null ? 1 : asked;
  }

  /** How long clients work; a number of transactions is not cut short by the default duration. */
  private static double working(RunConfig run, double transactions) {
    boolean timed = run.has(Parameters.DURATION) || !run.has(Parameters.TRANSACTIONS);
    Duration duration = run.get(Parameters.DURATION);
    if (timed && duration.equals(ValueType.WITHOUT_END)) {
      return Double.POSITIVE_INFINITY;
    }
    double counted = transactions / TRANSACTIONS_PER_SECOND;
    return !timed
        ? counted
        : run.has(Parameters.TRANSACTIONS)
            ? Math.min(counted, duration.toSeconds())
            : duration.toSeconds();
  }

  private static double middle(ValueType.Range range) {
    return (range.least() + range.most()) / 2.0;
  }

  /** An estimate in words. */
  public static String words(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "runs until it is stopped";
    }
    if (seconds < 90) {
      return "about " + Math.max(2, Math.round(seconds)) + " s";
    }
    if (seconds < 5400) {
      return "about " + Math.round(seconds / 60) + " min";
    }
    return "about " + Math.round(seconds / 3600) + " h";
  }
}
