/**
 * Small JSON documents, as values or as records. Input: the text of a file. Output: typed data, and
 * back.
 */
package dev.assay.collect.json;
