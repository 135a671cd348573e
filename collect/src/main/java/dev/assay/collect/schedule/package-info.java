/**
 * The classic anomalies as scripted schedules (after Kleppmann's Hermitage): small files that say
 * which session does what in which order and what shows the anomaly, run step by step on any
 * database.
 */
package dev.assay.collect.schedule;
