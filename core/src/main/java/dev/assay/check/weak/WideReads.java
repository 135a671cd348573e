package dev.assay.check.weak;

import dev.assay.history.History;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;

/** The places of the reads from each source, for a transaction that reads from very many others. */
final class WideReads {
  private final Causality causality;
  private final History history;
  private int reader = Causality.NONE;
  private int key = Causality.NONE;

  /** For each source the first read from it, as operation and source, in order of operations. */
  private long[] first = new long[0];

  /** The last read of the key from each source, as source and operation, in order of sources. */
  private long[] last = new long[0];

  /** Reads of the key before any own write of it, as operation and source, in order. */
  private long[] before = new long[0];

  WideReads(Causality causality) {
    this.causality = causality;
    this.history = causality.history();
  }

  void load(int ofReader, int ofKey) {
    if (reader != ofReader) {
      reader = ofReader;
      key = Causality.NONE;
      loadSources();
    }
    if (key != ofKey) {
      key = ofKey;
      loadKey();
    }
  }

  private void loadSources() {
    long[] all = new long[history.endOp(reader) - history.firstOp(reader)];
    int size = 0;
    for (int op = history.firstOp(reader); op < history.endOp(reader); op++) {
      int source = causality.sourceOf(op);
      if (source >= 0 && source != reader && causality.counts(source)) {
        all[size++] = pair(source, op);
      }
    }
    Arrays.sort(all, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || left(all[i]) != left(all[i - 1])) {
        all[distinct++] = all[i];
      }
    }
    first = new long[distinct];
    for (int i = 0; i < distinct; i++) {
      first[i] = pair(right(all[i]), left(all[i]));
    }
    Arrays.sort(first);
  }

  private void loadKey() {
    long[] all = new long[history.endOp(reader) - history.firstOp(reader)];
    long[] early = new long[all.length];
    int size = 0;
    int sizeEarly = 0;
    boolean written = false;
    for (int op = history.firstOp(reader); op < history.endOp(reader); op++) {
      if (history.key(op) != key) {
        continue;
      }
      written |= history.kind(op).isWrite();
      int source = causality.sourceOf(op);
      boolean counts = source == ReadsFrom.INITIAL || (source >= 0 && causality.counts(source));
      if (counts) {
        all[size++] = pair(source, op);
        if (!written) {
          early[sizeEarly++] = pair(op, source);
        }
      }
    }
    last = Arrays.copyOf(all, size);
    Arrays.sort(last);
    before = Arrays.copyOf(early, sizeEarly);
  }

  /** The last read of the key from a transaction. */
  int lastRead(int from) {
    int end = firstAtOrAfter(last, pair(from + 1, 0));
    return right(last[end - 1]);
  }

  /**
   * The place among reads of the key of the last one before an operation that has another source;
   * or −1.
   */
  int readBefore(int op, int from) {
    int place = firstAtOrAfter(before, pair(op, Integer.MIN_VALUE)) - 1;
    while (place >= 0 && right(before[place]) == from) {
      place--;
    }
    return place;
  }

  int operation(int place) {
    return left(before[place]);
  }

  int source(int place) {
    return right(before[place]);
  }

  /** The place of the first source that was first read at an operation or later. */
  int firstSource(int op) {
    return firstAtOrAfter(first, pair(op, 0));
  }

  int sources() {
    return first.length;
  }

  int firstRead(int place) {
    return left(first[place]);
  }

  int sourceAt(int place) {
    return right(first[place]);
  }

  private static int firstAtOrAfter(long[] sorted, long pair) {
    int found = Arrays.binarySearch(sorted, pair);
    return found < 0 ? -found - 1 : found;
  }

  private static long pair(int left, int right) {
    return ((long) left << 32) | (right & 0xffffffffL);
  }

  private static int left(long pair) {
    return (int) (pair >> 32);
  }

  private static int right(long pair) {
    return (int) pair;
  }
}
