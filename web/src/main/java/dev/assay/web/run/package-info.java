/**
 * From requests to runs: forms are checked field by field, each run becomes a few child processes
 * with limits on time and memory, and a queue works them off. Comes in: the fields of a form; goes
 * out: folders of the run store.
 */
package dev.assay.web.run;
