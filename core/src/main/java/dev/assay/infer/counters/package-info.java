/**
 * Orders of increments that explain what was read from counters: comes in a history whose counters
 * are incremented and read, goes out the same history with the counters as registers.
 */
package dev.assay.infer.counters;
