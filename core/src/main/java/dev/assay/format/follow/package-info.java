/**
 * Histories that grow while they are read, or are larger than memory, as blocks of finished
 * transactions. {@link dev.assay.format.follow.HistoryStream} is the way in: it takes bytes from a
 * {@link dev.assay.format.follow.ByteSource}, finds out the format and hands whole records to the
 * format's {@link dev.assay.format.PieceReader}.
 */
package dev.assay.format.follow;
