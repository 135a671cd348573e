/**
 * What a history implies before any level is considered: the write each read saw, the transactions
 * of unknown outcome that must have committed, what is known of version orders, and Adya's
 * dependencies. Its rooms hold what is needed for one kind of history only.
 */
package dev.assay.infer;
