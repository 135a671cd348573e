/**
 * Linearizability of single keys by search, where reads do not name what they saw: repeated values,
 * conditions that failed, counters. In: what transactions did with a key, with times. Out: that an
 * order exists, or a smallest part that has none. Also histories rewritten so that a level of
 * transactions of the result says what a level of parts or of keys does of the original.
 */
package dev.assay.check.linear;
