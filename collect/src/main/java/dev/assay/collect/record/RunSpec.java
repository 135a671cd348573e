package dev.assay.collect.record;

import dev.assay.collect.db.Isolation;
import java.time.Duration;

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
    long seed) {}
