/**
 * Version certificates recovered from databases. A {@link
 * dev.assay.collect.certificate.CertificateSource} reads the log of a database after a run: which
 * transactions committed in which order, and which versions of rows each left behind. Together with
 * the snapshots that sessions saw, and the recorded history, that makes the certificate of the Emme
 * paper: an order of versions for every key and a set of versions for every predicate.
 */
package dev.assay.collect.certificate;
