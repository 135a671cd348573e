package dev.assay.collect.record;

import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.SessionSpec;
import java.time.Duration;
import java.util.List;

/**
 * How a workload is run.
 *
 * @param isolation the level asked of the database
 * @param sessions clients that run at the same time
 * @param transactions how many transactions each client runs at most, whatever their outcome
 * @param duration how long clients begin new transactions
 * @param retries how often a transaction that the database refused is run again
 * @param abortRate share of the transactions that their client rolls back
 * @param forUpdate whether reads lock what they read
 * @param upserts whether writes insert or update in one statement, rather than update rows that
 *     were put there before
 * @param routing which transactions run on which node
 * @param rate transactions that begin in a second, of all clients; 0 for as many as can be
 * @param warmup how long clients work before {@code duration} begins, and before any fault
 * @param quiet how long to wait before the last look at everything
 * @param seed seed of the generated workload; what clients see also depends on the database
 */
public record RunSpec(
    Isolation isolation,
    int sessions,
    int transactions,
    Duration duration,
    int retries,
    double abortRate,
    boolean forUpdate,
    boolean upserts,
    Routing routing,
    int rate,
    Duration warmup,
    Duration quiet,
    long seed) {

  /** Sessions stay on their nodes. */
  public RunSpec(
      Isolation isolation,
      int sessions,
      int transactions,
      Duration duration,
      int retries,
      double abortRate,
      boolean forUpdate,
      boolean upserts,
      long seed) {
    this(
        isolation,
        sessions,
        transactions,
        duration,
        retries,
        abortRate,
        forUpdate,
        upserts,
        Routing.STAY,
        0,
        Duration.ZERO,
        Duration.ZERO,
        seed);
  }

  /** What sessions are opened for that run transactions of a part of the isolation level. */
  SessionSpec session(int part, boolean readOnly) {
    return new SessionSpec(isolation.parts().get(part), forUpdate, upserts, readOnly);
  }

  /** What is recorded of the level of a transaction: nothing if all have the same. */
  String levelOf(int part) {
    List<Isolation> parts = isolation.parts();
    return parts.size() == 1 ? null : parts.get(part).claimed().id();
  }
}
