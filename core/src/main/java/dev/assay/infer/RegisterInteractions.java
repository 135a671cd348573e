package dev.assay.infer;

import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.OpsByKey;
import java.util.Arrays;

/**
 * The versions of registers and how transactions interact with them. The versions of a key have
 * consecutive numbers: first the initial one, then the last write of each transaction that counts,
 * in file order. The interaction of a transaction with a key is its first external read and the
 * version it installed.
 *
 * <p>A read names a version only if its value was written to the key only once: had the writer been
 * found by ruling out others, the levels that allow what was ruled out would be misjudged. An
 * aborted or intermediate read names no version. (A read of an initial value that a loader wrote
 * once names the loader's version, by definition.)
 */
final class RegisterInteractions {
  static final int NONE = -1;

  private final History history;
  private final ReadsFrom reads;

  /** The transaction of each operation. */
  private final int[] transaction;

  /** Register operations by key, in file order. */
  private final Grouping ops;

  /** For each key its first version, the initial one; one more at the end. */
  final int[] firstVersion;

  /** The write that made a version, −1 for initial ones. */
  private final IntList writeOf = new IntList();

  /** The version that a write made, or −1. */
  private final int[] versionOf;

  /** For each key its first interaction; one more at the end. */
  final int[] first;

  private final IntList txn = new IntList();
  private final IntList readOp = new IntList();
  private final IntList writeOp = new IntList();

  RegisterInteractions(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    this.transaction = new int[history.operationCount()];
    for (int by = 0; by < history.transactionCount(); by++) {
      Arrays.fill(transaction, history.firstOp(by), history.endOp(by), by);
    }
    int keys = history.keys().count();
    this.ops = OpsByKey.of(history, OpKind.Type.REGISTER);
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

  private void numberVersions() {
    for (int key = 0; key < ops.groups(); key++) {
      firstVersion[key] = writeOf.size();
      writeOf.add(NONE);
      int i = ops.first(key);
      while (i < ops.end(key)) {
        int by = transactionOf(ops.item(i));
        int last = NONE;
        for (; i < ops.end(key) && ops.item(i) < history.endOp(by); i++) {
          last = history.kind(ops.item(i)) == OpKind.WRITE ? ops.item(i) : last;
        }
        if (last != NONE && reads.counts(by)) {
          versionOf[last] = writeOf.size();
          writeOf.add(last);
        }
      }
    }
    firstVersion[ops.groups()] = writeOf.size();
  }

  private void collect() {
    int[] written = new int[64];
    for (int key = 0; key < ops.groups(); key++) {
      first[key] = txn.size();
      if (ops.size(key) > written.length) {
        written = new int[Math.max(ops.size(key), 2 * written.length)];
      }
      int writes = 0;
      for (int i = ops.first(key); i < ops.end(key); i++) {
        if (history.kind(ops.item(i)) == OpKind.WRITE) {
          written[writes++] = history.value(ops.item(i));
        }
      }
      Arrays.sort(written, 0, writes);
      collect(key, written, writes);
    }
    first[ops.groups()] = txn.size();
  }

  /** The interactions with one key, given the values written to it, sorted. */
  private void collect(int key, int[] written, int writes) {
    int i = ops.first(key);
    while (i < ops.end(key)) {
      int by = transactionOf(ops.item(i));
      int read = NONE;
      int write = NONE;
      for (; i < ops.end(key) && ops.item(i) < history.endOp(by); i++) {
        int op = ops.item(i);
        if (history.kind(op) == OpKind.WRITE) {
          write = op;
        } else if (write == NONE && read == NONE && namesVersion(op, by, written, writes)) {
          read = op;
        }
      }
      if (reads.counts(by) && (read != NONE || write != NONE)) {
        txn.add(by);
        readOp.add(read);
        writeOp.add(write);
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

  // ---- versions

  int keyCount() {
    return first.length - 1;
  }

  int versionCount() {
    return firstVersion[firstVersion.length - 1];
  }

  /** The transaction that wrote a version, or {@link ReadsFrom#INITIAL}. */
  int writer(int version) {
    return writeOf.get(version) == NONE ? ReadsFrom.INITIAL : transactionOf(writeOf.get(version));
  }

  /** The write that made a version, or −1. */
  int writeOf(int version) {
    return writeOf.get(version);
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
    return txn.get(interaction);
  }

  /** The read that names a version, or −1. */
  int readOp(int interaction) {
    return readOp.get(interaction);
  }

  /** The last write, or −1. */
  int writeOp(int interaction) {
    return writeOp.get(interaction);
  }

  /** The version that was read, or −1. */
  int versionRead(int interaction) {
    int read = readOp.get(interaction);
    if (read == NONE) {
      return NONE;
    }
    int source = reads.source(read);
    return source >= 0 ? versionOf[source] : firstVersion[history.key(read)];
  }

  /** The version that was written, or −1. */
  int versionWritten(int interaction) {
    return writeOp(interaction) == NONE ? NONE : versionOf[writeOp(interaction)];
  }
}
