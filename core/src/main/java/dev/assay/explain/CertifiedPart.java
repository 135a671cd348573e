package dev.assay.explain;

import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.history.VersionCertificate.VersionSet;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a history with what its certificate says of it. Orders of the versions and transactions
 * that are left are those of the whole.
 *
 * @param history the part
 * @param certificate what is left of the certificate
 */
record CertifiedPart(History history, VersionCertificate certificate) {
  private static final int GONE = -2;

  boolean violates(Minimizer.CertifiedJudge judge, AnomalyType type) {
    return judge.violates(history, certificate, type);
  }

  /** A smaller part, or null where there is none with these transactions and operations. */
  CertifiedPart part(BitSet transactions, BitSet operations, Needs needs) {
    if (certificate.isEmpty()) {
      History part = Part.of(history, transactions, operations, needs);
      return part == null ? null : new CertifiedPart(part, certificate);
    }
    if (history.predicates().count() > 0 && !keepsKeysWhole(transactions, operations)) {
      return null;
    }
    History part = Part.of(history, transactions, operations, needs);
    return part == null
        ? null
        : new CertifiedPart(part, new Restriction(part, transactions, operations).run());
  }

  /**
   * Whether of each key all writes are kept or none. A certificate says which versions a predicate
   * operation saw; without one of them it would see an earlier version of the row, which may match.
   */
  private boolean keepsKeysWhole(BitSet transactions, BitSet operations) {
    BitSet kept = new BitSet();
    BitSet left = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op).isWrite() && history.key(op) >= 0) {
          boolean stays = transactions.get(txn) && operations.get(op);
          (stays ? kept : left).set(history.key(op));
        }
      }
    }
    return !kept.intersects(left);
  }

  /** Says of a part what the certificate says of the whole. */
  private final class Restriction {
    private final History part;
    private final int[] newTransactions = new int[history.transactionCount()];
    private final int[] newOperations = new int[history.operationCount()];

    Restriction(History part, BitSet transactions, BitSet operations) {
      this.part = part;
      Arrays.fill(newTransactions, GONE);
      Arrays.fill(newOperations, GONE);
      int nextTxn = 0;
      int nextOp = 0;
      for (int t = transactions.nextSetBit(0); t >= 0; t = transactions.nextSetBit(t + 1)) {
        newTransactions[t] = nextTxn++;
        for (int op = history.firstOp(t); op < history.endOp(t); op++) {
          if (operations.get(op)) {
            newOperations[op] = nextOp++;
          }
        }
      }
    }

    VersionCertificate run() {
      List<Chain> chains = new ArrayList<>();
      for (Chain chain : certificate.chains()) {
        List<Integer> writes =
            chain.writes().stream().map(this::write).filter(write -> write != GONE).toList();
        writes.stream()
            .filter(write -> write != VersionCertificate.INITIAL)
            .findFirst()
            .ifPresent(any -> chains.add(new Chain(part.key(any), writes, chain.complete())));
      }
      Map<Integer, VersionSet> ofOperation = new HashMap<>();
      certificate.ofOperation().forEach((op, set) -> put(newOperations[op], set, ofOperation));
      Map<Integer, VersionSet> ofTransaction = new HashMap<>();
      certificate
          .ofTransaction()
          .forEach((txn, set) -> put(newTransactions[txn], set, ofTransaction));
      return new VersionCertificate(
          certificate.name(),
          chains,
          kept(certificate.order()),
          kept(certificate.commits()),
          ofOperation,
          ofTransaction);
    }

    private int write(int op) {
      return op == VersionCertificate.INITIAL ? op : newOperations[op];
    }

    private int[] kept(int[] transactions) {
      return Arrays.stream(transactions)
          .map(txn -> newTransactions[txn])
          .filter(txn -> txn != GONE)
          .toArray();
    }

    private List<Integer> kept(List<Integer> transactions) {
      return transactions.stream()
          .map(txn -> newTransactions[txn])
          .filter(txn -> txn != GONE)
          .toList();
    }

    private void put(int of, VersionSet set, Map<Integer, VersionSet> sets) {
      if (of != GONE) {
        sets.put(of, restricted(set));
      }
    }

    private VersionSet restricted(VersionSet set) {
      if (set instanceof VersionSet.Snapshot snapshot) {
        int[] visible = Arrays.copyOf(certificate.commits(), snapshot.commits());
        return new VersionSet.Snapshot(
            kept(visible).length, kept(snapshot.except()), kept(snapshot.also()));
      }
      // Versions that are not listed are the initial ones.
      Map<Integer, Integer> writes = new HashMap<>();
      for (int op : ((VersionSet.Listed) set).writes().values()) {
        int write = write(op);
        if (write >= 0) {
          writes.put(part.key(write), write);
        }
      }
      return new VersionSet.Listed(writes);
    }
  }
}
