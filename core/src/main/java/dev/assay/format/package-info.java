/**
 * Files in, histories out, and back: one class per file format, found by content.
 *
 * <p>{@link dev.assay.format.Formats} is the list of formats and the way in; a format implements
 * {@link dev.assay.format.HistoryFormat}. Whatever is wrong with an input ends in one {@link
 * dev.assay.format.ParseException} that says where, what was found, what was expected and what to
 * do. The formats are described in {@code docs/formats.md}.
 *
 * <p>The formats themselves are in the packages below, which share what is here: lines, blocks read
 * on all cores, excerpts for messages, and what would be lost in writing. No format knows another.
 */
package dev.assay.format;
