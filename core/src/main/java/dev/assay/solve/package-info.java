/**
 * Orders events under constraints: decides which of two writers of a key came first, such that the
 * known edges and everything implied have no cycle.
 *
 * <p>A {@link dev.assay.solve.Polygraph} states the problem. {@link dev.assay.solve.Saturation}
 * adds forced edges, {@link dev.assay.solve.Schedule} guesses an order close to a preferred one,
 * {@link dev.assay.solve.Repair} guesses one from reads alone, and {@link
 * dev.assay.solve.OrderSolver} decides what is left. {@link dev.assay.solve.Decision} runs all of
 * them. This package does not depend on databases, levels or anomalies.
 *
 * <p>The search is not Sat4j's. Measured with the same theory on what saturation leaves ({@code
 * bench/run sat4j}, docs/performance.md) the two are on a par where little is left, and this one is
 * faster where much is, because it does not jump far back over decisions unrelated to a conflict.
 * It also adds variables during the search, and core needs no library for it.
 *
 * <p>What saturation leaves is not split into independent parts ({@link
 * dev.assay.solve.Constraints} counts them). Recorded histories are mostly one part; long generated
 * ones have many, but there the search, which jumps back short distances, is a small share.
 */
package dev.assay.solve;
