/**
 * Stores of keys and texts with transactions: libraries in this process, and clusters that Assay
 * starts. Each session is a {@link dev.assay.collect.kv.KeyValues}; registers, lists and sets are
 * made of texts in one place.
 */
package dev.assay.collect.kv;
