/**
 * What the results of predicate operations imply. Input: a history, the source of each read, and
 * the versions of its rows with what a certificate gives. {@link
 * dev.assay.infer.predicates.ResultExplainer} decides which versions explain a result; everything
 * else uses it. Output: the dependencies of predicate operations (Adya 1999, section 4.4.2), the
 * versions that results leave possible where there is no certificate, and whether an order of
 * commits explains them.
 */
package dev.assay.infer.predicates;
