/**
 * Measures Assay itself, for contributors; not shipped. {@code bench/run TABLE} prints a table of
 * {@code docs/performance.md}. Every figure is of a whole process, JVM start and parsing included,
 * beside a bare pass over the same bytes in the same run. {@code assay bench}, which measures
 * checkers over a user's own sweep, is the package {@code dev.assay.web.sweep}.
 */
package dev.assay.bench;
