/**
 * Proofs of verdicts that others can check: comes in a history with its report, goes out a proof in
 * the format of docs/proofs.md. What a verdict rests on is worked out again from the definitions,
 * apart from the checkers, so that checking pays nothing for it; {@code tools/Verify.java} verifies
 * it and shares no code with this.
 */
package dev.assay.proof;
