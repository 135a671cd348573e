/**
 * Decides the levels that are defined by cycles of dependencies, from read uncommitted to strict
 * serializability, where version orders are unknown. {@link dev.assay.check.strong.StrongRun}
 * encodes each level as a problem for {@link dev.assay.solve}; an order that the solver finds is a
 * proof, and the transactions blamed for a refutation become a cycle that a reader can check.
 */
package dev.assay.check.strong;
