/**
 * Decides {@code mixed}: whether each transaction got the level that it ran at. {@link
 * dev.assay.check.mixed.Parts} rewrites the history so that snapshot isolation of the result is the
 * same question, which {@link dev.assay.check.strong} answers.
 */
package dev.assay.check.mixed;
