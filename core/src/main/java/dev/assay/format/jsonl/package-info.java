/**
 * What Assay writes as JSON lines: histories ({@link dev.assay.format.jsonl.AssayJsonl}), version
 * certificates ({@link dev.assay.format.jsonl.VersionCertificates}), and both inside an HTML report
 * ({@link dev.assay.format.jsonl.HtmlReport}).
 *
 * <p>Lines in the shape that Assay itself writes have a short way ({@code PlainTransaction}, {@code
 * PlainCertificate}); all others, and all errors, go through a JSON parser.
 */
package dev.assay.format.jsonl;
