/**
 * Verdicts and the checkers that reach them, one class per method.
 *
 * <p>A {@link dev.assay.check.LevelChecker} takes a history with its inferred facts and returns
 * {@link dev.assay.check.Findings}: a {@link dev.assay.check.Verdict} for levels it can decide and
 * {@link dev.assay.check.Anomaly}s with {@link dev.assay.check.Evidence}. Checkers return data;
 * sentences are made in {@code explain}.
 */
package dev.assay.check;
