/**
 * The vocabulary of verdicts: isolation levels with their lattice, anomalies with the levels that
 * forbid them, and kinds of edges. Tables only; no history and no checking here. The definitions
 * are those of {@code docs/levels.md}.
 */
package dev.assay.level;
