package dev.assay.collect.client;

/**
 * What a session is for.
 *
 * @param isolation the level of its transactions, one of {@link Client#isolations}
 * @param forUpdate whether reads lock what they read
 * @param upserts whether writes insert or update in one step, rather than update what {@link
 *     RunData#load} put there
 * @param readOnly whether its transactions only read
 */
public record SessionSpec(
    Isolation isolation, boolean forUpdate, boolean upserts, boolean readOnly) {}
