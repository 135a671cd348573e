/**
 * Checking a history as a service: a {@link dev.assay.collect.judge.CheckRequest} says what to
 * decide and how, {@link dev.assay.collect.judge.CheckService} reads an input, decides it and
 * returns a {@link dev.assay.render.CheckResult}; {@link dev.assay.collect.judge.LiveCheck} does so
 * for a run while it is recorded. Commands only parse options and print.
 */
package dev.assay.collect.judge;
