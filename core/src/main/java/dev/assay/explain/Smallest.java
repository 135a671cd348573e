package dev.assay.explain;

import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;

/**
 * A part of a history that violates the same level as the whole.
 *
 * @param history the part; its transactions keep their sessions, ids, outcomes, times and places
 * @param certificate what is left of the certificate that the whole was judged with
 * @param type the anomaly it was kept for; null where the level is known to be violated without one
 *     being named
 * @param minimal whether no transaction and no operation can be left out; false where time ran out
 *     before that was certain
 */
public record Smallest(
    History history, VersionCertificate certificate, AnomalyType type, boolean minimal) {
  boolean isSmallerThan(Smallest other) {
    int transactions = history.transactionCount();
    int others = other.history.transactionCount();
    return transactions < others
        || transactions == others && history.operationCount() < other.history.operationCount();
  }
}
