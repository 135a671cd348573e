/**
 * What {@code assay bench} does: it measures checkers over a sweep of workload parameters, warm and
 * in one process. Input: lists of parameters, levels and checkers. Output: rows of measurements,
 * and a page with the plots of the web interface. The module {@code bench}, run by {@code
 * bench/run}, is for contributors: it measures Assay itself in cold processes, for {@code
 * docs/performance.md}. A batch of the web interface is a sweep of whole runs.
 */
package dev.assay.web.sweep;
