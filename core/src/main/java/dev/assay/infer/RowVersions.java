package dev.assay.infer;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The versions of each register in order, where the whole order is known: from a certificate, or
 * because at most one transaction wrote the register. Versions of a key have consecutive numbers;
 * the first of them is the initial version.
 */
public final class RowVersions {
  /** In place of the operation that wrote an initial version. */
  public static final int INITIAL = VersionCertificate.INITIAL;

  private final History history;
  private final Grouping versions;
  private final int[] write;
  private final int[] writer;
  private final int[] versionOf;
  private final BitSet known = new BitSet();

  /**
   * Orders versions.
   *
   * @param contradicted keys whose certificate is not to be used
   */
  public RowVersions(
      History history,
      ReadsFrom reads,
      VersionCertificate certificate,
      Collection<Integer> contradicted) {
    this.history = history;
    int keys = history.keys().count();
    int[] installed = installedWrites(reads);
    Grouping.Builder byKey = new Grouping.Builder(keys);
    for (int key = 0; key < keys; key++) {
      byKey.count(key);
    }
    for (int op : installed) {
      byKey.count(history.key(op));
    }
    this.write = new int[byKey.total()];
    this.writer = new int[write.length];
    this.versionOf = new int[history.operationCount()];
    Arrays.fill(versionOf, -1);
    for (int key = 0; key < keys; key++) {
      write[byKey.place(key)] = INITIAL;
    }
    for (int op : installed) {
      place(byKey.place(history.key(op)), op);
    }
    this.versions = byKey.build(write);
    for (int key = 0; key < keys(); key++) {
      known.set(key, count(key) <= 2);
    }
    Set<Integer> unusable = Set.copyOf(contradicted);
    for (VersionCertificate.Chain chain : certificate.chains()) {
      if (chain.complete() && !unusable.contains(chain.key())) {
        order(chain);
      }
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (versionOf[op] >= 0) {
          writer[versionOf[op]] = txn;
        }
      }
    }
  }

  /**
   * The versions by a certificate with exactly one chain per key, complete and starting at the
   * initial version; null if the certificate is not of this form.
   */
  static RowVersions certified(History history, ReadsFrom reads, VersionCertificate certificate) {
    BitSet ordered = new BitSet();
    for (VersionCertificate.Chain chain : certificate.chains()) {
      boolean again = ordered.get(chain.key());
      boolean late = false;
      for (int i = 1; i < chain.size(); i++) {
        late |= chain.write(i) == INITIAL;
      }
      if (again || late || !chain.complete()) {
        return null;
      }
      ordered.set(chain.key());
    }
    RowVersions versions = new RowVersions(history, reads, certificate, List.of());
    return versions.allKnown() ? versions : null;
  }

  /** Whether the versions of each key follow this order of transactions. */
  boolean follow(int[] order) {
    int[] place = new int[history.transactionCount()];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    for (int key = 0; key < keys(); key++) {
      for (int version = first(key) + 2; version < end(key); version++) {
        if (place[writer[version]] <= place[writer[version - 1]]) {
          return false;
        }
      }
    }
    return true;
  }

  /** The last write of each register by each transaction that counts. */
  private int[] installedWrites(ReadsFrom reads) {
    int[] slot = new int[history.keys().count()];
    int[] found = new int[16];
    int size = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int start = size;
      for (int op = history.firstOp(txn); op < history.endOp(txn) && reads.counts(txn); op++) {
        if (history.kind(op) != OpKind.WRITE) {
          continue;
        }
        int key = history.key(op);
        int own = slot[key];
        if (own >= start && own < size && history.key(found[own]) == key) {
          found[own] = op;
        } else {
          found = size == found.length ? Arrays.copyOf(found, size * 2) : found;
          slot[key] = size;
          found[size++] = op;
        }
      }
    }
    return Arrays.copyOf(found, size);
  }

  private void place(int version, int op) {
    write[version] = op;
    versionOf[op] = version;
  }

  private void order(VersionCertificate.Chain chain) {
    int key = chain.key();
    int[] ordered = new int[count(key) - 1];
    int size = 0;
    for (int i = 0; i < chain.size(); i++) {
      int op = chain.write(i);
      if (op != INITIAL && versionOf[op] >= 0 && size < ordered.length) {
        ordered[size++] = op;
      }
    }
    known.set(key, size == ordered.length);
    for (int i = 0; i < size && known.get(key); i++) {
      place(first(key) + 1 + i, ordered[i]);
    }
  }

  public int keys() {
    return versions.groups();
  }

  /** Whether the order of all versions of a key is known. */
  public boolean isKnown(int key) {
    return known.get(key);
  }

  public boolean allKnown() {
    return known.cardinality() == keys();
  }

  /** The initial version of a key. */
  public int first(int key) {
    return versions.first(key);
  }

  /** A copy of the initial versions of all keys. */
  public int[] firsts() {
    int[] firsts = new int[keys()];
    Arrays.setAll(firsts, this::first);
    return firsts;
  }

  public int end(int key) {
    return versions.end(key);
  }

  public int count(int key) {
    return versions.size(key);
  }

  public int versions() {
    return write.length;
  }

  /** The operation that wrote a version, or {@link #INITIAL}. */
  public int write(int version) {
    return write[version];
  }

  /** The transaction that wrote a version other than an initial one. */
  public int writer(int version) {
    return writer[version];
  }

  /** The version that a write installed, or −1 if it is intermediate or does not count. */
  public int versionOf(int op) {
    return versionOf[op];
  }
}
