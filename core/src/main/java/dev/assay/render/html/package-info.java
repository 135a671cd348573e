/**
 * Results in, one self-contained page of HTML out: the verdict, the lattice, and for each witness a
 * graph, the numbered proof and a timeline.
 *
 * <p>Everything is laid out here, so that the page opens without a network and is legible without
 * its script; the script adds highlighting, expanding, moving, hiding and copying. All text goes
 * through {@link dev.assay.render.html.Markup}, which escapes it.
 */
package dev.assay.render.html;
