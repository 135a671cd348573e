/**
 * Lists of ints, groupings and directed graphs over small ints, as arrays: the kit all checkers
 * share. Nodes are numbered from 0; {@link dev.assay.graph.EdgeList} collects edges and {@link
 * dev.assay.graph.Digraph} compresses them for the algorithms.
 */
package dev.assay.graph;
