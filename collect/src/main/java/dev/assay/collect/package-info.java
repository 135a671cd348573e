/**
 * Produces histories: {@link dev.assay.collect.Generator} runs a workload on a simulated store and
 * hands every transaction to a {@link dev.assay.collect.TransactionSink}, with {@linkplain
 * dev.assay.collect.Planted anomalies planted} where asked.
 */
package dev.assay.collect;
