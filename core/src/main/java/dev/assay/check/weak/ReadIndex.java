package dev.assay.check.weak;

import dev.assay.history.History;
import java.util.Arrays;
import java.util.BitSet;

/** The reads of one transaction by what they read from, for a transaction with very many. */
final class ReadIndex {
  private final Causality causality;
  private final History history;
  private final int reader;

  /** Operations by source, as source and operation, in this order. */
  private final long[] bySource;

  /** The last source of each session, as session and place in it, in this order. */
  private final long[] lastSources;

  /** Null until it is asked for. */
  private Boolean followsReads;

  ReadIndex(Causality causality, int reader) {
    this.causality = causality;
    this.history = causality.history();
    this.reader = reader;
    this.bySource = new long[history.endOp(reader) - history.firstOp(reader)];
    for (int i = 0; i < bySource.length; i++) {
      int op = history.firstOp(reader) + i;
      bySource[i] = pair(causality.sourceOf(op), op);
    }
    Arrays.sort(bySource);
    this.lastSources = lastSources();
  }

  private long[] lastSources() {
    int first = causality.firstSource(reader);
    long[] places = new long[causality.endSource(reader) - first];
    for (int i = 0; i < places.length; i++) {
      int source = causality.source(first + i);
      places[i] = pair(history.session(source), history.placeInSession(source));
    }
    Arrays.sort(places);
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      if (i + 1 == places.length || left(places[i]) != left(places[i + 1])) {
        places[count++] = places[i];
      }
    }
    return Arrays.copyOf(places, count);
  }

  /** The first read from a source, or −1. */
  int firstRead(int source) {
    int at = firstAtOrAfter(bySource, pair(source, 0));
    return isOf(source, at) ? right(bySource[at]) : Causality.NONE;
  }

  /** The first read of a key other than this one from a source, or −1. */
  int otherKeyRead(int source, int key) {
    int at = firstAtOrAfter(bySource, pair(source, 0));
    while (isOf(source, at) && history.key(right(bySource[at])) == key) {
      at++;
    }
    return isOf(source, at) ? right(bySource[at]) : Causality.NONE;
  }

  /** The last read of a key from a source, or −1. */
  int lastRead(int source, int key) {
    int at = firstAtOrAfter(bySource, pair(source + 1, 0)) - 1;
    while (isOf(source, at) && history.key(right(bySource[at])) != key) {
      at--;
    }
    return isOf(source, at) ? right(bySource[at]) : Causality.NONE;
  }

  private boolean isOf(int source, int at) {
    return at >= 0 && at < bySource.length && left(bySource[at]) == source;
  }

  /** The last transaction of a session that it reads from, or −1. */
  int lastSource(int session) {
    int at = firstAtOrAfter(lastSources, pair(session, 0));
    boolean found = at < lastSources.length && left(lastSources[at]) == session;
    return found ? history.sessionTransaction(session, right(lastSources[at])) : Causality.NONE;
  }

  /** Whether it reads from one of these transactions, which must be the same for every call. */
  boolean readsFromAny(BitSet transactions) {
    Boolean known = followsReads;
    if (known == null) {
      known = false;
      int end = causality.endSource(reader);
      for (int i = causality.firstSource(reader); i < end && !known; i++) {
        known = transactions.get(causality.source(i));
      }
      followsReads = known;
    }
    return known;
  }

  private static int firstAtOrAfter(long[] sorted, long pair) {
    int found = Arrays.binarySearch(sorted, pair);
    return found < 0 ? -found - 1 : found;
  }

  private static long pair(int left, int right) {
    return ((long) left << 32) | right;
  }

  private static int left(long pair) {
    return (int) (pair >> 32);
  }

  private static int right(long pair) {
    return (int) pair;
  }
}
