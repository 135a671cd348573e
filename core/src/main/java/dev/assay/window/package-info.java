/**
 * Judges a history of which not everything is there: while it is recorded, or where it does not fit
 * into memory. {@link dev.assay.window.Monitor} is the way in.
 */
package dev.assay.window;
