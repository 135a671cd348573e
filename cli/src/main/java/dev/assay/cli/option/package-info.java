/** What a command is, and the options that several commands share. */
package dev.assay.cli.option;
