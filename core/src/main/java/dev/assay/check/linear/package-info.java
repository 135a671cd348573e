/**
 * Linearizability of single keys by search, where reads do not name what they saw: repeated values,
 * conditions that failed, counters. In: what transactions did with a key, with times. Out: that an
 * order exists, or a smallest part that has none.
 */
package dev.assay.check.linear;
