/**
 * The run store, and {@link dev.assay.collect.runs.RecordService}, which fills it: one folder for
 * each run, with the history, what was asked, the verdict, the report and the log, as files that
 * can be read without Assay. Input: what commands and the web interface did. Output: what there is,
 * also after a restart.
 */
package dev.assay.collect.runs;
