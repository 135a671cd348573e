/**
 * Writers of values that were written more than once: comes in a history in which some reads name
 * several writes, goes out one history for each choice of writers that is not ruled out.
 */
package dev.assay.infer.writers;
