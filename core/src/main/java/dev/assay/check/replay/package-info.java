/**
 * Runs the transactions of a history one after another, in an order that was given along with it,
 * on a store in memory, and compares what every operation saw. What comes in is a history with an
 * expected serialization order or with timestamps of the database; what goes out is that a level
 * holds, or the first operation that saw something else (Enne, the serial checker of Clark and
 * others, EuroSys 2024).
 */
package dev.assay.check.replay;
