/**
 * {@code assay-binary}, the format Assay records in: blocks of packed columns with a checksum each,
 * so that a file that was cut off can be read up to its last whole block.
 *
 * <p>{@link dev.assay.format.binary.AssayBinaryWriter} takes whole transactions; an {@link
 * dev.assay.format.binary.AssayBinaryJournal} of it takes operations as they happen. The layout is
 * in {@code docs/assay-binary.md}.
 */
package dev.assay.format.binary;
