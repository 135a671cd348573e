/**
 * The command line. {@link dev.assay.cli.Main} finds the command and makes exit codes; a command is
 * one class that parses its options, calls the library and hands the result to a renderer. Nothing
 * outside this module prints. Commands that are one or two classes are here, the others in rooms of
 * their own; {@link dev.assay.cli.process} and {@link dev.assay.cli.option} have what they share.
 */
package dev.assay.cli;
