/**
 * Parquet files of flat columns, read and written without a library: all that histories need, which
 * {@link dev.assay.format.jsonl.ParquetFormat} turns into rows and back. Numbers and texts, data
 * pages of both versions, plain and dictionary encoding; compression with gzip, and for reading
 * Snappy and zstd.
 */
package dev.assay.format.parquet;
