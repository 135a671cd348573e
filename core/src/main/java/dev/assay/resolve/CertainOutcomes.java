package dev.assay.resolve;

import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import java.util.BitSet;

/**
 * Resolves unknown outcomes by what the user gives in addition to the history. A transaction has
 * committed if a certificate names it as the writer of a version, among the commits, in a snapshot
 * or in a serialization order, or if it has a commit timestamp or a place in the order of the
 * history and the user trusts these. The writer of a version in a listed version set committed if
 * the transaction that read the set did.
 */
public final class CertainOutcomes {
  private final History history;
  private final Given given;
  private final BitSet open = new BitSet();
  private final BitSet committed = new BitSet();

  private CertainOutcomes(History history, Given given) {
    this.history = history;
    this.given = given;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        open.set(txn);
      }
    }
  }

  /** The history with all such transactions committed. */
  public static History of(History history, Given given) {
    if (given.isNothing()) {
      return history;
    }
    CertainOutcomes outcomes = new CertainOutcomes(history, given);
    if (outcomes.open.isEmpty()) {
      return history;
    }
    outcomes.addNamed();
    History known = history.committing(outcomes.committed);
    while (outcomes.addSeen(known)) {
      known = history.committing(outcomes.committed);
    }
    return known;
  }

  private void add(int txn) {
    if (open.get(txn)) {
      committed.set(txn);
    }
  }

  private void addNamed() {
    VersionCertificate certificate = given.certificate();
    for (VersionCertificate.Chain chain : certificate.chains()) {
      for (int i = 0; i < chain.size(); i++) {
        if (chain.write(i) != VersionCertificate.INITIAL) {
          add(history.transactionOf(chain.write(i)));
        }
      }
    }
    int[] order = certificate.order();
    for (int txn : order) {
      add(txn);
    }
    for (int txn : certificate.commits()) {
      add(txn);
    }
    certificate.forEachVersionSet(
        history,
        (txn, set) -> {
          if (set instanceof VersionSet.Snapshot snapshot) {
            snapshot.also().forEach(this::add);
          }
        });
    boolean stamped = given.assumes(Assumption.TIMESTAMPS);
    boolean placed = given.assumes(Assumption.TRANSACTION_ORDER) && order.length == 0;
    for (int txn = open.nextSetBit(0); txn >= 0; txn = open.nextSetBit(txn + 1)) {
      if ((stamped && history.commitTs(txn) != History.ABSENT)
          || (placed && history.serialPosition(txn) != History.ABSENT)) {
        add(txn);
      }
    }
  }

  /** Adds the writers of versions in sets listed for transactions that count; false for none. */
  private boolean addSeen(History known) {
    int before = committed.cardinality();
    ReadsFrom[] reads = new ReadsFrom[1];
    given
        .certificate()
        .forEachVersionSet(
            history,
            (txn, set) -> {
              if (set instanceof VersionSet.Listed listed && hasOpen(listed)) {
                reads[0] = reads[0] == null ? ReadsFrom.of(known) : reads[0];
                if (reads[0].counts(txn)) {
                  listed.writes().values().stream()
                      .filter(write -> write >= 0)
                      .forEach(write -> add(history.transactionOf(write)));
                }
              }
            });
    return committed.cardinality() > before;
  }

  private boolean hasOpen(VersionSet.Listed listed) {
    return listed.writes().values().stream()
        .anyMatch(write -> write >= 0 && isOpen(history.transactionOf(write)));
  }

  private boolean isOpen(int txn) {
    return open.get(txn) && !committed.get(txn);
  }
}
