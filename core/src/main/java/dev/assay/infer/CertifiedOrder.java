package dev.assay.infer;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import dev.assay.type.KnownOrders;
import java.util.BitSet;

/**
 * The version order of registers by a certificate that is all that was given and contradicts
 * neither itself nor the reads. Most certificates are such, and it can be checked key by key,
 * without listing all versions.
 */
final class CertifiedOrder {
  private final History history;
  private final ReadsFrom reads;
  private final EdgeList order;
  private final EdgeList reasons;

  private Grouping byKey;

  // The writers of the current key, numbered as they are listed, and the edges between them.
  private final int[] local;
  private final IntList writers = new IntList();
  private final EdgeList links = new EdgeList();

  /** For each key the number of versions whose direct successor is known. */
  private final int[] followed;

  private final BitSet seen = new BitSet();
  private final BitSet ordered = new BitSet();

  private CertifiedOrder(History history, ReadsFrom reads, int size) {
    this.history = history;
    this.reads = reads;
    this.order = new EdgeList(size);
    this.reasons = new EdgeList(size);
    this.local = new int[history.transactionCount()];
    this.followed = new int[history.keys().count()];
  }

  /** The order, or null if the certificate contradicts something or itself. */
  static CertifiedOrder of(History history, ReadsFrom reads, VersionCertificate certificate) {
    int size = 0;
    for (VersionCertificate.Chain chain : certificate.chains()) {
      size += chain.size();
    }
    CertifiedOrder certified = new CertifiedOrder(history, reads, size);
    for (VersionCertificate.Chain chain : certificate.chains()) {
      if (!certified.add(chain)) {
        return null;
      }
    }
    certified.byKey =
        Grouping.of(history.keys().count(), certified.order.size(), certified.order::label);
    for (KeyAccess access : reads.access()) {
      for (int i = 0; i < access.size(); i++) {
        if (!certified.fits(access, i)) {
          return null;
        }
      }
    }
    return certified.fitsWithoutReads() ? certified : null;
  }

  /** Edges between transactions, labelled with the key and marked with a reason. */
  EdgeList order() {
    return order;
  }

  /** The edges of the order by their keys. */
  Grouping byKey() {
    return byKey;
  }

  /** Earlier and later write, labelled with the source. */
  EdgeList reasons() {
    return reasons;
  }

  /**
   * For how many registers all, part or nothing of the order is known, reads included; null where
   * deciding which reads contribute takes {@link RegisterVersions}.
   */
  KnownOrders known() {
    if (reads.ambiguousReads() > 0 || !reads.chosen().isEmpty()) {
      return null;
    }
    int[] versions = new int[history.keys().count()];
    BitSet registers = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!count(txn, versions, registers)) {
        return null;
      }
    }
    int total = 0;
    int partial = 0;
    for (int key = registers.nextSetBit(0); key >= 0; key = registers.nextSetBit(key + 1)) {
      boolean whole = followed[key] >= versions[key] - 1;
      total += whole ? 1 : 0;
      partial += !whole && ordered.get(key) ? 1 : 0;
    }
    return new KnownOrders(total, partial, registers.cardinality() - total - partial);
  }

  /** Counts the versions that a transaction installed; false if it read an intermediate version. */
  private boolean count(int txn, int[] versions, BitSet registers) {
    boolean counts = reads.counts(txn);
    int end = history.endOp(txn);
    for (int op = history.firstOp(txn); op < end; op++) {
      OpKind kind = history.kind(op);
      if (kind.type() == OpKind.Type.REGISTER) {
        registers.set(history.key(op));
        int source = reads.source(op);
        if (kind == OpKind.WRITE) {
          versions[history.key(op)] += counts && !reads.isOverwritten(op) ? 1 : 0;
        } else if (source >= 0 && reads.isOverwritten(source) && !isWithin(source, txn)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isWithin(int op, int txn) {
    return op >= history.firstOp(txn) && op < history.endOp(txn);
  }

  /** Adds a chain; false if it puts a version before the initial one. */
  private boolean add(VersionCertificate.Chain chain) {
    int before = -1;
    int beforeOp = -1;
    boolean begun = false;
    for (int i = 0; i < chain.size(); i++) {
      int write = chain.write(i);
      if (write == VersionCertificate.INITIAL) {
        if (begun) {
          return false;
        }
        continue;
      }
      int writer = history.transactionOf(write);
      if (writer == before || history.kind(write) != OpKind.WRITE || !reads.counts(writer)) {
        continue;
      }
      if (begun) {
        order.add(before, writer, chain.key(), reasons.size());
        reasons.add(beforeOp, write, Reason.Source.CERTIFICATE.ordinal(), 0);
      }
      begun = true;
      before = writer;
      beforeOp = write;
    }
    return true;
  }

  /**
   * Whether the writers of a key have an order, each after those that the certificate puts before
   * it and the one whose version it read.
   */
  private boolean fits(KeyAccess access, int index) {
    int key = access.key(index);
    writers.clear();
    for (int i = access.firstWriter(index); i < access.endWriter(index); i++) {
      if (reads.counts(access.writer(i))) {
        number(access.writer(i));
      }
    }
    linkGiven(key);
    for (int i = access.firstRead(index); i < access.endRead(index); i++) {
      int reader = access.reader(i);
      int source = access.source(i);
      if (source >= 0 && source != reader && isNumbered(source) && isNumbered(reader)) {
        links.add(local[source], local[reader], key, 0);
      }
    }
    return canBeOrdered(key);
  }

  /** Whether the writers of each key that matters to no read have an order. */
  private boolean fitsWithoutReads() {
    for (int key = 0; key < history.keys().count(); key++) {
      if (seen.get(key) || byKey.first(key) == byKey.end(key)) {
        continue;
      }
      writers.clear();
      for (int i = byKey.first(key); i < byKey.end(key); i++) {
        number(order.from(byKey.item(i)));
        number(order.to(byKey.item(i)));
      }
      linkGiven(key);
      if (!canBeOrdered(key)) {
        return false;
      }
    }
    return true;
  }

  private void number(int writer) {
    if (!isNumbered(writer)) {
      local[writer] = writers.size();
      writers.add(writer);
    }
  }

  private boolean isNumbered(int txn) {
    return local[txn] < writers.size() && writers.get(local[txn]) == txn;
  }

  private void linkGiven(int key) {
    seen.set(key);
    links.clear();
    for (int i = byKey.first(key); i < byKey.end(key); i++) {
      int edge = byKey.item(i);
      links.add(local[order.from(edge)], local[order.to(edge)], key, 0);
    }
  }

  /**
   * Whether the links have no cycle. Counts the writers that one is known to follow directly: there
   * is only one order exactly if they link all neighbours in any order.
   */
  private boolean canBeOrdered(int key) {
    if (links.size() == 0) {
      return true;
    }
    Digraph predecessors = Digraph.predecessors(writers.size(), links);
    int[] line = TopologicalOrder.of(predecessors, TopologicalOrder.natural(writers.size()));
    if (line == null) {
      return false;
    }
    for (int i = 1; i < line.length; i++) {
      int place = predecessors.first(line[i]);
      while (place < predecessors.end(line[i]) && predecessors.neighbour(place) != line[i - 1]) {
        place++;
      }
      followed[key] += place < predecessors.end(line[i]) ? 1 : 0;
    }
    ordered.set(key);
    return true;
  }
}
