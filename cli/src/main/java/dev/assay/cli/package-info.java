/**
 * The command line. {@link dev.assay.cli.Main} finds the command and makes exit codes; a command is
 * one class that parses its options, calls the library and hands the result to a renderer. Nothing
 * outside this package prints.
 */
package dev.assay.cli;
