/** {@code assay watch}: follows a history that is being written. */
package dev.assay.cli.watch;
