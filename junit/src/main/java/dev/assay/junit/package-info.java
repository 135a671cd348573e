/**
 * Isolation tests for teams that build or use a database: a workload on a {@link
 * javax.sql.DataSource} comes in, a verdict as an assertion goes out. {@link
 * dev.assay.junit.WorkloadRun} is the way in without JUnit, {@link dev.assay.junit.IsolationTest}
 * the annotation, and {@link dev.assay.junit.HistoryRecorder} records clients written by hand.
 */
package dev.assay.junit;
