/**
 * Measures checkers over sweeps of workload parameters, in this process. Comes in: lists of
 * parameters, levels and checkers; goes out: rows of measurements, and a page with the same plots
 * as the web interface has.
 */
package dev.assay.web.bench;
