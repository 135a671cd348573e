/**
 * Parts of a history's file. Comes in: a file of one of Hadoop's file systems. Goes out: splits
 * that tasks read block by block, and a survey of each.
 */
package dev.assay.spark.input;
