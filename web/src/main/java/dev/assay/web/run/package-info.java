/**
 * From requests to runs: forms are checked field by field, each run becomes a few child processes
 * with limits on time and memory, and a queue works them off. Input: the fields of a form. Output:
 * folders of the run store.
 */
package dev.assay.web.run;
