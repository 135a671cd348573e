/**
 * Measurements, not shipped: {@code bench/run load}, {@code bench/run weak} and {@code bench/run
 * ablation} print the tables of {@code docs/performance.md}. Every figure is of a whole process,
 * JVM start and parsing included, beside a bare pass over the same bytes in the same run.
 */
package dev.assay.bench;
