/**
 * What the results of predicate operations imply. What comes in is a history, the writer of each
 * read, and the versions of its rows with whatever a certificate says of them. {@link
 * dev.assay.infer.predicates.ResultExplainer} says which versions explain a result; everything else
 * rests on it. What goes out is the dependencies of predicate operations (Adya 1999, section
 * 4.4.2), the versions that results leave possible where there is no certificate, and whether an
 * order of commits explains them.
 */
package dev.assay.infer.predicates;
