/**
 * Enumerates the writers of values that were written more than once. Input: a history with
 * ambiguous reads; output: one history for each choice of writers that is not ruled out.
 */
package dev.assay.infer.writers;
