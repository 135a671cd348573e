/**
 * Runs a workload on a database and records what every client asked and saw: one thread and one
 * connection a session, every transaction handed to the binary format as it ends, whatever became
 * of it. The history is on disk before it is judged.
 */
package dev.assay.collect.record;
