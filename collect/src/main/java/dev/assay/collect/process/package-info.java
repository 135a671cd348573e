/**
 * Clients that are programs: they read requests on standard input and write answers to standard
 * output, each a JSON object on a line (docs/clients.md). A program that dies, hangs or answers
 * nonsense leaves a transaction with an unknown outcome, or ends the run with one error.
 */
package dev.assay.collect.process;
