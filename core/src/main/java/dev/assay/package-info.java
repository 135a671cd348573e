/**
 * The library's front door. {@link dev.assay.Assay} reads a history and decides its levels; a
 * {@link dev.assay.Report} comes out, which {@code render} turns into text, JSON or a page.
 *
 * <p>The other classes are the stages that ask all checkers again about a changed history: {@link
 * dev.assay.Assay#shrink} looks for a smaller one, and writers of repeated values and orders of
 * counters are tried one choice after another.
 */
package dev.assay;
