/**
 * Databases: one class each, that says how to start or reach it, which isolation levels it offers
 * and what they claim, its dialect of SQL, and what its errors mean. Nothing here knows workloads
 * or histories; {@link dev.assay.collect.record} drives it.
 */
package dev.assay.collect.db;
