/**
 * Decides levels from the results of predicate operations, without a certificate: what they reveal
 * about the versions seen, at the levels where a transaction sees one version of each key. Input: a
 * history with predicates; output: phantoms, and verdicts by orders that explain every result.
 */
package dev.assay.check.predicate;
