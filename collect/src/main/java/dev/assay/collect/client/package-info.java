/**
 * What every store looks like to a run: a {@link dev.assay.collect.client.Client} opens a {@link
 * dev.assay.collect.client.Cluster} of nodes, and that opens a {@link
 * dev.assay.collect.client.ClientSession} for each client of a workload. Databases with a JDBC
 * driver are one implementation ({@code db}); others are in jars of the plug-in folder, or are
 * processes that speak JSON lines ({@code process}). Nothing here knows workloads or histories.
 */
package dev.assay.collect.client;
