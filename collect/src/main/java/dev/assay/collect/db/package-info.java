/**
 * Databases with a JDBC driver: what a {@link dev.assay.collect.db.Database} has to say of itself,
 * how connections, tables and statements are made of that, and what errors mean. The databases are
 * in {@code vendor}. Nothing here knows workloads or histories; {@link dev.assay.collect.record}
 * drives it.
 */
package dev.assay.collect.db;
