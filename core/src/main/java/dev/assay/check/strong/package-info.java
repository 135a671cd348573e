/**
 * The strong levels where version orders are not known: serializability, snapshot isolation, prefix
 * consistency and what is defined by cycles of dependencies.
 */
package dev.assay.check.strong;
