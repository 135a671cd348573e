/**
 * Pictures of numbers as SVG, and the numbers as comma-separated values. Input: what happened over
 * time in a run. Output: plots for reports, for files beside a run and for the pages of the web
 * interface, which has further ones.
 */
package dev.assay.render.plot;
