/**
 * Predicate operations without a certificate: what their results tell of the versions they looked
 * at, decided at the levels where a transaction sees one version of each key. What comes in is a
 * history with predicates; what goes out are phantoms, and serial orders that explain every result.
 */
package dev.assay.check.predicate;
