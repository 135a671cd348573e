package dev.assay.web.run;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values that are allowed and probably not meant. */
public final class Cautions {
  private static final int MANY_SESSIONS = 500;
  private static final int MANY_OPERATIONS = 200;
  private static final double MANY_TRANSACTIONS = 5e6;

  private Cautions() {}

  /** What to think about, by the name of the field. */
  public static Map<String, String> of(List<RunConfig> runs) {
    Map<String, String> cautions = new LinkedHashMap<>();
    runs.forEach(run -> add(cautions, run));
    return cautions;
  }

  private static void add(Map<String, String> cautions, RunConfig run) {
    if (run.source() == Source.UPLOAD) {
      return;
    }
    int sessions = run.get(Parameters.SESSIONS);
    Integer each = run.get(Parameters.TRANSACTIONS);
    double reads = run.get(Parameters.READS);
    warn(
        cautions,
        Parameters.SESSIONS,
        sessions == 1,
        "With one session transactions never overlap, so few anomalies can occur.");
    warn(
        cautions,
        Parameters.SESSIONS,
        run.source().isLive() && sessions > MANY_SESSIONS,
        "Most databases refuse this many connections.");
    warn(
        cautions,
        Parameters.TRANSACTIONS,
        each != null && (double) sessions * each > MANY_TRANSACTIONS,
        "This makes more than 5 million transactions; checking them takes a while.");
    warn(
        cautions,
        Parameters.OPERATIONS,
        run.get(Parameters.OPERATIONS).most() > MANY_OPERATIONS,
        "Transactions this long mostly abort each other.");
    warn(cautions, Parameters.READS, reads == 1, "Without writes there is nothing to violate.");
    warn(cautions, Parameters.READS, reads == 0, "Without reads no anomaly can be seen.");
    warn(
        cautions,
        Parameters.ABORTS,
        run.get(Parameters.ABORTS) > 0.9,
        "Nearly all transactions are rolled back by their clients.");
    double busy = (double) sessions * run.get(Parameters.OPERATIONS).most();
    warn(
        cautions,
        Parameters.KEYS,
        run.source().isLive() && run.get(Parameters.KEYS) > 1000 * busy,
        "With this many keys transactions rarely conflict, so anomalies are unlikely.");
  }

  private static void warn(
      Map<String, String> cautions, Parameter<?> parameter, boolean odd, String text) {
    if (odd) {
      cautions.putIfAbsent(parameter.id(), text);
    }
  }
}
