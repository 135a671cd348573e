/**
 * {@code assay run} and {@code record}: from options to a recorded run, judged while it goes on or
 * afterwards by {@link dev.assay.cli.check}.
 */
package dev.assay.cli.run;
