/**
 * Orders of events under constraints: which of two writers of a key came first, such that all that
 * is known and all that this implies has no cycle.
 *
 * <p>A {@link dev.assay.solve.Polygraph} states the problem. {@link dev.assay.solve.Saturation}
 * adds what is forced, {@link dev.assay.solve.Schedule} guesses an order from one to try first,
 * {@link dev.assay.solve.Repair} guesses one from reads alone, and {@link
 * dev.assay.solve.OrderSolver} decides what is left. {@link dev.assay.solve.Decision} runs all of
 * them. Nothing here knows databases, levels or anomalies.
 *
 * <p>The search is not Sat4j's. Measured with the same theory on what saturation leaves ({@code
 * bench/run sat4j}, docs/performance.md) the two are even where little is left, and this one is
 * ahead where much is, because it does not jump far back over decisions that a conflict has nothing
 * to do with. It also adds variables during the search, and core needs no library for it.
 *
 * <p>What saturation leaves is not split into independent parts ({@link
 * dev.assay.solve.Constraints} counts them). Recorded histories are mostly one part; long generated
 * ones have many, but there the search, which jumps back short distances, is a small share.
 */
package dev.assay.solve;
