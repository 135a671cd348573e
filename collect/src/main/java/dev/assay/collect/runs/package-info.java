/**
 * The run store: one folder for each run, with the history, what was asked, the verdict, the report
 * and the log, as files that anybody can read without Assay. Comes in: what commands and the web
 * interface did; goes out: what there is, also after a restart.
 */
package dev.assay.collect.runs;
