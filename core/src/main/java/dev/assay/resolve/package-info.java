/**
 * What happened, before any order is considered: which transactions count, and which write each
 * read saw.
 *
 * <p>Input: a history and what is {@link dev.assay.resolve.Given} in addition. Output: a history in
 * which outcomes are as certain as they can be ({@link dev.assay.resolve.CertainOutcomes}) and the
 * write behind every read ({@link dev.assay.resolve.ReadsFrom}): one write, the initial version, or
 * the candidates where a value was written more than once.
 */
package dev.assay.resolve;
