/**
 * Workloads: transactions drawn from a parametric, seeded workload.
 *
 * <p>A {@link dev.assay.collect.workload.WorkloadSpec} comes in; accesses to keys, and values
 * unique per key, go out, one at a time and without objects. Nothing here knows the store or
 * database.
 */
package dev.assay.collect.workload;
