/**
 * The language of predicate operations: which rows a condition matches, how an update changes them,
 * and how it bounds the values of a column.
 *
 * <p>Input are the JSON texts in histories; a {@link dev.assay.predicate.Condition} is a parsed
 * one. Bound to the columns of a table it is a {@link dev.assay.predicate.Matcher}, which evaluates
 * with SQL's three-valued logic; it also gives intervals for an index, SQL for databases and
 * readable text. The page docs/predicates.md describes the language.
 */
package dev.assay.predicate;
