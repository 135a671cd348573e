/**
 * Reports in, text for people and machines out: terminal text, JSON, JUnit XML, HTML, Graphviz and
 * TikZ.
 *
 * <p>Every renderer appends to an {@link java.lang.Appendable} and prints nothing itself. Output is
 * the same byte for byte for the same report, times aside.
 */
package dev.assay.render;
