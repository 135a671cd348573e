/**
 * Levels between read committed and causal consistency, and the session guarantees.
 *
 * <p>Each of these levels requires a commit order that contains causal order (session order and
 * reads) and, for a read of x from t1 by t3, puts every other writer t2 of x that t3 must see
 * before t1 (Biswas and Enea, OOPSLA 2019, Fig. 2; Liu et al., Plume, OOPSLA 2024). Which t2 that
 * is does not depend on the commit order, so a level holds iff causal order and the edges t2 → t1
 * of its own axiom have no cycle.
 *
 * <p>The checker does not build that graph. It guesses a commit order, looks only for edges that
 * point backwards in it, and repairs the order with those: a guess without such edges is a proof, a
 * cycle of them a refutation. The full graph is made for reports alone, and only around the edges
 * that point backwards.
 */
package dev.assay.check.weak;
