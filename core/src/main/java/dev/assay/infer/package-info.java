/**
 * What a history implies before any level is considered: who wrote what each read saw, and which
 * transactions of unknown outcome must have committed.
 */
package dev.assay.infer;
