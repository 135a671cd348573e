/**
 * The language of predicate operations: which rows a condition matches, what it makes of them, and
 * what it says about the values of a column.
 *
 * <p>In come the JSON texts that histories keep; a {@link dev.assay.predicate.Condition} is such a
 * text understood. Bound to the columns of a table it is a {@link dev.assay.predicate.Matcher},
 * which evaluates with SQL's three-valued logic; it also gives intervals for an index, SQL for
 * databases and wording for people. The page docs/predicates.md describes the language.
 */
package dev.assay.predicate;
