/**
 * Orders of events under constraints: which of two writers of a key came first, such that all that
 * is known and all that this drags along has no circle.
 *
 * <p>A {@link dev.assay.solve.Polygraph} states the problem. {@link dev.assay.solve.Saturation}
 * adds what is forced, {@link dev.assay.solve.Schedule} guesses an order, and {@link
 * dev.assay.solve.OrderSolver} decides what is left. {@link dev.assay.solve.Decision} runs the
 * three. Nothing here knows databases, levels or anomalies.
 */
package dev.assay.solve;
