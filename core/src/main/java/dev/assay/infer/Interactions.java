package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.Arrays;

/**
 * The versions of registers and who met them. The versions of a key are numbered in a row: first
 * the initial one, then the last write of each transaction that counts, in file order. An
 * interaction is what one such transaction had to do with a key: the first version it read from
 * elsewhere, and the version it wrote.
 *
 * <p>A read names a version only if its value was written to the key once, by anybody: where the
 * writer was found by ruling out others, the levels that allow what was ruled out would be
 * misjudged. A read of an aborted or overwritten write names no version. (A read of an initial
 * value that a loader wrote once names the loader's version, by definition.)
 */
final class Interactions {
  static final int NONE = -1;

  private final History history;
  private final ReadsFrom reads;

  /** The transaction of each operation. */
  private final int[] transaction;

  /** Register operations by key, in file order. */
  private final int[] ops;

  private final int[] firstOp;

  /** For each key its first version, the initial one; one more at the end. */
  final int[] firstVersion;

  /** The write that made a version, −1 for initial ones. */
  private int[] writeOf = new int[64];

  /** The version that a write made, or −1. */
  private final int[] versionOf;

  /** For each key its first interaction; one more at the end. */
  final int[] first;

  private int count;
  private int[] txn = new int[64];
  private int[] readOp = new int[64];
  private int[] writeOp = new int[64];

  Interactions(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    this.transaction = new int[history.operationCount()];
    for (int by = 0; by < history.transactionCount(); by++) {
      Arrays.fill(transaction, history.firstOp(by), history.endOp(by), by);
    }
    int keys = history.keys().count();
    this.firstOp = new int[keys + 1];
    this.ops = grouped();
    this.firstVersion = new int[keys + 1];
    this.versionOf = new int[history.operationCount()];
    this.first = new int[keys + 1];
    Arrays.fill(versionOf, NONE);
    numberVersions();
    collect();
  }

  private int transactionOf(int op) {
    return transaction[op];
  }

  private int[] grouped() {
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.REGISTER) {
        firstOp[history.key(op) + 1]++;
      }
    }
    for (int key = 0; key + 1 < firstOp.length; key++) {
      firstOp[key + 1] += firstOp[key];
    }
    int[] next = firstOp.clone();
    int[] grouped = new int[firstOp[firstOp.length - 1]];
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type() == OpKind.Type.REGISTER) {
        grouped[next[history.key(op)]++] = op;
      }
    }
    return grouped;
  }

  private void numberVersions() {
    int versions = 0;
    for (int key = 0; key + 1 < firstOp.length; key++) {
      firstVersion[key] = versions;
      versions = addVersion(versions, NONE);
      int i = firstOp[key];
      while (i < firstOp[key + 1]) {
        int by = transactionOf(ops[i]);
        int last = NONE;
        for (; i < firstOp[key + 1] && ops[i] < history.endOp(by); i++) {
          last = history.kind(ops[i]) == OpKind.WRITE ? ops[i] : last;
        }
        if (last != NONE && reads.counts(by)) {
          versionOf[last] = versions;
          versions = addVersion(versions, last);
        }
      }
    }
    firstVersion[firstOp.length - 1] = versions;
  }

  private int addVersion(int versions, int write) {
    if (versions == writeOf.length) {
      writeOf = Arrays.copyOf(writeOf, grown(versions));
    }
    writeOf[versions] = write;
    return versions + 1;
  }

  private void collect() {
    int[] written = new int[64];
    for (int key = 0; key + 1 < firstOp.length; key++) {
      first[key] = count;
      int size = firstOp[key + 1] - firstOp[key];
      if (size > written.length) {
        written = new int[grown(size)];
      }
      int writes = 0;
      for (int i = firstOp[key]; i < firstOp[key + 1]; i++) {
        if (history.kind(ops[i]) == OpKind.WRITE) {
          written[writes++] = history.value(ops[i]);
        }
      }
      Arrays.sort(written, 0, writes);
      collect(key, written, writes);
    }
    first[firstOp.length - 1] = count;
  }

  /** The interactions with one key, given the values written to it, sorted. */
  private void collect(int key, int[] written, int writes) {
    int i = firstOp[key];
    while (i < firstOp[key + 1]) {
      int by = transactionOf(ops[i]);
      int read = NONE;
      int write = NONE;
      for (; i < firstOp[key + 1] && ops[i] < history.endOp(by); i++) {
        int op = ops[i];
        if (history.kind(op) == OpKind.WRITE) {
          write = op;
        } else if (write == NONE && read == NONE && namesVersion(op, by, written, writes)) {
          read = op;
        }
      }
      if (reads.counts(by) && (read != NONE || write != NONE)) {
        add(by, read, write);
      }
    }
  }

  private boolean namesVersion(int read, int by, int[] written, int writes) {
    int source = reads.source(read);
    int found = Arrays.binarySearch(written, 0, writes, history.value(read));
    if (source == ReadsFrom.INITIAL) {
      return found < 0;
    }
    if (source < 0 || versionOf[source] == NONE || transactionOf(source) == by) {
      return false;
    }
    return (found == 0 || written[found - 1] != written[found])
        && (found + 1 == writes || written[found + 1] != written[found]);
  }

  private void add(int by, int read, int write) {
    if (count == txn.length) {
      txn = Arrays.copyOf(txn, grown(count));
      readOp = Arrays.copyOf(readOp, grown(count));
      writeOp = Arrays.copyOf(writeOp, grown(count));
    }
    txn[count] = by;
    readOp[count] = read;
    writeOp[count++] = write;
  }

  private static int grown(int size) {
    return Math.addExact(size, Math.max(size >>> 1, 16));
  }

  // ---- versions

  int keyCount() {
    return first.length - 1;
  }

  int versionCount() {
    return firstVersion[firstVersion.length - 1];
  }

  /** The transaction that wrote a version, or {@link ReadsFrom#INITIAL}. */
  int writer(int version) {
    return writeOf[version] == NONE ? ReadsFrom.INITIAL : transactionOf(writeOf[version]);
  }

  /** The write that made a version, or −1. */
  int writeOf(int version) {
    return writeOf[version];
  }

  /** The version that the transaction of a write left behind on that key, or −1. */
  int versionLeftBy(int write) {
    int last = write;
    int end = history.endOp(transactionOf(write));
    for (int op = write + 1; op < end; op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == history.key(write)) {
        last = op;
      }
    }
    return versionOf[last];
  }

  // ---- interactions

  int txn(int interaction) {
    return txn[interaction];
  }

  /** The read that names a version, or −1. */
  int readOp(int interaction) {
    return readOp[interaction];
  }

  /** The last write, or −1. */
  int writeOp(int interaction) {
    return writeOp[interaction];
  }

  /** The version that was read, or −1. */
  int versionRead(int interaction) {
    int read = readOp[interaction];
    if (read == NONE) {
      return NONE;
    }
    int source = reads.source(read);
    return source >= 0 ? versionOf[source] : firstVersion[history.key(read)];
  }

  /** The version that was written, or −1. */
  int versionWritten(int interaction) {
    return writeOp[interaction] == NONE ? NONE : versionOf[writeOp[interaction]];
  }
}
