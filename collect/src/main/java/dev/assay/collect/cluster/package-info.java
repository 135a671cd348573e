/**
 * Servers that Assay starts on this machine, as nodes of a cluster: what connects them, their
 * clocks, and what can be done to them. Which servers these are, {@code db.vendor} and {@code kv}
 * know.
 */
package dev.assay.collect.cluster;
