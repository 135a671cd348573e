/**
 * What a history implies about orders before any level is considered: what is known of the order of
 * versions ({@link dev.assay.infer.VersionOrders}) and Adya's dependencies ({@link
 * dev.assay.infer.Dependencies}). The packages below hold what only some histories need: orders of
 * increments, choices of writers, results of predicates.
 */
package dev.assay.infer;
