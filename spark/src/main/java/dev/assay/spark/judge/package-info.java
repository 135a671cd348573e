/**
 * Windows between cuts. Comes in: the transactions of a window, with what was carried to it. Goes
 * out: what the checkers find there, and what that says about the whole history.
 */
package dev.assay.spark.judge;
