/**
 * Checking a history as a service: a {@link dev.assay.collect.judge.CheckRequest} says what to
 * decide and how, {@link dev.assay.collect.judge.CheckService} reads an input, decides it and
 * returns a {@link dev.assay.render.CheckResult}. Commands only parse options and print.
 */
package dev.assay.collect.judge;
