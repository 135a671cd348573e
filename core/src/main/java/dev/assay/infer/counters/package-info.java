/**
 * Finds orders of increments that explain the reads of counters. Input: a history with counters;
 * output: the same history with the counters as registers.
 */
package dev.assay.infer.counters;
