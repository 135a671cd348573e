package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.util.Arrays;

/**
 * Statistics of a history. A <em>version</em> is a key with a value (or element) that was written
 * or read; versions are compared by sorting arrays of longs, eight bytes an operation.
 */
public final class Stats {
  private final History history;
  private final int[] outcomes = new int[Outcome.values().length];
  private final long[] opKinds = new long[OpKind.values().length];
  private final int[] sizes;
  private final int[] sessionSizes;
  private final int[] opsOfKey;
  private long unknownReads;
  private long initialReads;
  private long neverWritten;
  private long neverRead;
  private long duplicates;

  private Stats(History history) {
    this.history = history;
    this.sizes = new int[history.transactionCount()];
    this.sessionSizes = new int[history.sessionCount()];
    this.opsOfKey = new int[history.keys().count()];
  }

  public static Stats of(History history) {
    Stats stats = new Stats(history);
    stats.countTransactions();
    stats.countOperations();
    stats.compareVersions();
    return stats;
  }

  // ---- results

  public int outcomes(Outcome outcome) {
    return outcomes[outcome.ordinal()];
  }

  public long operations(OpKind kind) {
    return opKinds[kind.ordinal()];
  }

  /** Reads whose result the client never saw. */
  public long unknownReads() {
    return unknownReads;
  }

  /** Reads of the initial version: nil, an empty list, or an initial 0. */
  public long initialReads() {
    return initialReads;
  }

  /** Versions that were read although they were never written and are not initial. */
  public long versionsNeverWritten() {
    return neverWritten;
  }

  /** Versions written by a transaction that did not abort, that were never read. */
  public long versionsNeverRead() {
    return neverRead;
  }

  /** Versions that were written more than once. */
  public long duplicateVersions() {
    return duplicates;
  }

  /** Operations of each transaction, ascending. */
  public int[] transactionSizes() {
    return sizes.clone();
  }

  /** Transactions of each session, ascending. */
  public int[] sessionSizes() {
    return sessionSizes.clone();
  }

  /** The most used keys, most used first; ties by key number. */
  public int[] hottestKeys(int count) {
    int[] top = new int[Math.min(count, opsOfKey.length)];
    int filled = 0;
    for (int key = 0; key < opsOfKey.length; key++) {
      int place = filled;
      while (place > 0 && opsOfKey[key] > opsOfKey[top[place - 1]]) {
        place--;
      }
      if (place < top.length) {
        int moved = Math.min(filled, top.length - 1) - place;
        System.arraycopy(top, place, top, place + 1, moved);
        top[place] = key;
        filled = Math.min(filled + 1, top.length);
      }
    }
    return top;
  }

  /** How many operations are on a key. */
  public int operationsOn(int key) {
    return opsOfKey[key];
  }

  /** The earliest start, or {@link History#ABSENT}. */
  public long firstTime() {
    long first = History.ABSENT;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      long time = shown(history.shownStart(txn), history.start(txn));
      if (time != History.ABSENT && (first == History.ABSENT || time < first)) {
        first = time;
      }
    }
    return first;
  }

  /** The latest end, or {@link History#ABSENT}. */
  public long lastTime() {
    long last = History.ABSENT;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      last = Math.max(last, shown(history.shownEnd(txn), history.end(txn)));
    }
    return last;
  }

  private long shown(long shownTime, long orderTime) {
    return history.hasShownTimes() ? shownTime : orderTime;
  }

  /** The value at a share of an ascending array, by the nearest rank; 0 of an empty one. */
  public static int percentile(int[] ascending, int percent) {
    if (ascending.length == 0) {
      return 0;
    }
    long rank = ((long) ascending.length * percent + 99) / 100;
    return ascending[(int) Math.max(rank - 1, 0)];
  }

  // ---- counting

  private void countTransactions() {
    for (int txn = 0; txn < sizes.length; txn++) {
      outcomes[history.outcome(txn).ordinal()]++;
      sizes[txn] = history.endOp(txn) - history.firstOp(txn);
    }
    for (int session = 0; session < sessionSizes.length; session++) {
      sessionSizes[session] = history.sessionSize(session);
    }
    Arrays.sort(sizes);
    Arrays.sort(sessionSizes);
  }

  private void countOperations() {
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      opKinds[kind.ordinal()]++;
      if (kind.isPredicate()) {
        continue;
      }
      opsOfKey[history.key(op)]++;
      if (!kind.isWrite()) {
        int value = history.value(op);
        if (value == Values.UNKNOWN || history.isOtherRead(op)) {
          unknownReads++;
        } else if (kind.readsSequence()
            ? history.sequences().length(value) == 0
            : kind == OpKind.READ && history.hasInitialValue(op)) {
          initialReads++;
        }
      }
    }
  }

  // ---- versions

  private void compareVersions() {
    long[] written = writtenBy(false);
    long[] aborted = writtenBy(true);
    long[] read = readVersions();
    duplicates = repeated(written);
    written = distinct(written);
    neverRead = written.length - common(written, read);
    long[] all = distinct(merged(written, aborted));
    neverWritten = unexplained(read, all);
  }

  /** How many of the read versions are neither initial nor written. */
  private long unexplained(long[] read, long[] written) {
    long count = 0;
    int next = 0;
    for (long version : read) {
      while (next < written.length && written[next] < version) {
        next++;
      }
      boolean found = next < written.length && written[next] == version;
      if (!found && !history.isInitial((int) (version >> 32), (int) version)) {
        count++;
      }
    }
    return count;
  }

  private long[] writtenBy(boolean abortedOnes) {
    long[] versions = new long[1024];
    int count = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if ((history.outcome(txn) == Outcome.ABORTED) == abortedOnes) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          OpKind kind = history.kind(op);
          if (kind.writesNamed()) {
            versions = roomFor(count, versions);
            versions[count++] = version(history.key(op), history.value(op));
          }
        }
      }
    }
    Arrays.sort(versions, 0, count);
    return Arrays.copyOf(versions, count);
  }

  private static long[] roomFor(int count, long[] versions) {
    return count < versions.length
        ? versions
        : Arrays.copyOf(versions, Math.addExact(count, count >>> 1));
  }

  private long[] readVersions() {
    Sequences sequences = history.sequences();
    int[] keyOfTrace = new int[sequences.traceCount()];
    Arrays.fill(keyOfTrace, -1);
    long[] versions = new long[1024];
    int count = 0;
    long elements = 0;
    for (int op = 0; op < history.operationCount(); op++) {
      OpKind kind = history.kind(op);
      int value = history.value(op);
      if (kind.isWrite() || !kind.type().namesVersions() || value == Values.UNKNOWN) {
        continue;
      }
      if (history.isOtherRead(op)) {
        continue;
      }
      if (!kind.readsSequence()) {
        versions = roomFor(count, versions);
        versions[count++] = version(history.key(op), value);
      } else if (keyOfTrace[sequences.trace(value)] < 0) {
        keyOfTrace[sequences.trace(value)] = history.key(op);
        elements += sequences.traceLength(sequences.trace(value));
      }
    }
    versions = Arrays.copyOf(versions, Math.toIntExact(count + elements));
    for (int trace = 0; trace < keyOfTrace.length; trace++) {
      for (int i = 0; keyOfTrace[trace] >= 0 && i < sequences.traceLength(trace); i++) {
        versions[count++] = version(keyOfTrace[trace], sequences.traceElement(trace, i));
      }
    }
    Arrays.sort(versions);
    return distinct(versions);
  }

  private static long version(int key, int valueCode) {
    return ((long) key << 32) | (valueCode & 0xffffffffL);
  }

  private static long repeated(long[] ascending) {
    long count = 0;
    for (int i = 1; i < ascending.length; i++) {
      boolean repeats = ascending[i] == ascending[i - 1];
      if (repeats && (i == 1 || ascending[i - 1] != ascending[i - 2])) {
        count++;
      }
    }
    return count;
  }

  private static long[] distinct(long[] ascending) {
    int kept = 0;
    for (int i = 0; i < ascending.length; i++) {
      if (i == 0 || ascending[i] != ascending[i - 1]) {
        ascending[kept++] = ascending[i];
      }
    }
    return kept == ascending.length ? ascending : Arrays.copyOf(ascending, kept);
  }

  private static long[] merged(long[] a, long[] b) {
    long[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    Arrays.sort(all);
    return all;
  }

  /** How many items two ascending arrays without repetitions share. */
  private static long common(long[] a, long[] b) {
    long count = 0;
    int i = 0;
    int j = 0;
    while (i < a.length && j < b.length) {
      if (a[i] == b[j]) {
        count++;
        i++;
        j++;
      } else if (a[i] < b[j]) {
        i++;
      } else {
        j++;
      }
    }
    return count;
  }
}
