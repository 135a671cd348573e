/**
 * Plots as SVG, made in Java and complete in themselves: they look the same in a page, in a file
 * and printed. Input: numbers. Output: SVG for people and CSV for programs.
 */
package dev.assay.web.plot;
