/**
 * The formats of other checkers: dbcop, Cobra, Viper, Plume and AWDIT.
 *
 * <p>Each knows registers only, most of them 64-bit integers, and says what else of a history would
 * be lost.
 */
package dev.assay.format.checkers;
