/** Directed graphs over small ints, as arrays: orders, components and short paths. */
package dev.assay.graph;
