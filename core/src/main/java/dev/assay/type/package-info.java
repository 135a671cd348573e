/**
 * What is particular to each data type: how single reads are checked, what they imply, how values
 * are replayed, how operations are seen as those of registers, and how a database keeps them. A
 * {@link dev.assay.type.DataType} answers all of that for one type; what types share is a table of
 * properties, {@link dev.assay.history.OpKind.Type}.
 */
package dev.assay.type;
