/**
 * What every client saw: transactions and their operations as immutable primitive columns.
 *
 * <p>Readers in {@code format} and recorders in {@code collect} fill a {@link
 * dev.assay.history.HistoryBuilder}; everything after that reads a {@link
 * dev.assay.history.History}. Nothing is thrown away here: aborted and indeterminate transactions,
 * times, errors and source positions stay.
 */
package dev.assay.history;
