/**
 * What a command has of the process that it runs in: the terminal, files, exit codes, signals, and
 * what it uses. Only here and in the commands is anything printed.
 */
package dev.assay.cli.process;
