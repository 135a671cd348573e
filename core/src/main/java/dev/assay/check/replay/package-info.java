/**
 * Runs the transactions of a history one after another, on a store in memory, and compares what
 * every operation saw. What comes in is a history, perhaps with an expected serialization order or
 * with timestamps of the database; what goes out is that a level holds, or the first operation that
 * saw something else (Enne, the serial checker of Clark and others, EuroSys 2024). Where no order
 * is given, {@link dev.assay.check.replay.SerialOrder} finds one by running next what sees what it
 * saw.
 */
package dev.assay.check.replay;
