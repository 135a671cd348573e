/**
 * {@code check} on Apache Spark. Comes in: paths of histories, and what to check them for. Goes
 * out: the same results as in one process. {@link dev.assay.spark.OnSpark} is the way in; a history
 * that is larger than one machine goes through {@link dev.assay.spark.LargeHistory}.
 */
package dev.assay.spark;
