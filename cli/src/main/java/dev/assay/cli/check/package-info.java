/** {@code assay check}: from options to a report on the terminal, in files and on a cluster. */
package dev.assay.cli.check;
