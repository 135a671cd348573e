/**
 * Where a history can be cut. Comes in: what the transactions of blocks do with each value, list
 * and set and in each session. Goes out: clean cuts, and what is carried over them.
 */
package dev.assay.spark.cut;
