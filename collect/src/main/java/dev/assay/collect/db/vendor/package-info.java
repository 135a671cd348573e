/**
 * The databases: one class each, that says how to start or reach it, which isolation levels it
 * offers and what they claim, its dialect of SQL, and what its errors mean. {@link
 * dev.assay.collect.db.vendor.Databases} lists them.
 */
package dev.assay.collect.db.vendor;
