package dev.assay.check.linear;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.graph.RealTimeChain;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order that linearizable keys demand of transactions: of two that access a common key, the one
 * that ended before the other began comes first, and the earlier one of a session. Only the steps
 * are listed that do not follow from others on the same key. Where very many transactions access a
 * key at once, even these are too many, and a {@link RealTimeChain} takes their place.
 */
final class KeyOrder {
  /** Steps per transaction on a key from which on a chain is smaller. */
  private static final int MANY = 4;

  /** For no transaction or instant. */
  static final int NONE = -1;

  /**
   * A moment between transactions on a key.
   *
   * @param key the key
   * @param before the moment before it, or {@link #NONE}
   * @param time when it was, or absent
   */
  record Instant(int key, int before, long time) {}

  private final History history;

  /** From a transaction that committed to another, labelled with a key. */
  private final EdgeList steps = new EdgeList();

  /** From transactions to instants, and from instants to transactions. */
  private final EdgeList ended = new EdgeList();

  private final EdgeList began = new EdgeList();
  private final List<Instant> instants = new ArrayList<>();

  /** What came last in a session on the current key; at most one of these is known. */
  private static final class Last {
    int committed = NONE;
    int uncertain = NONE;
    int instant = NONE;
  }

  private final Last[] last;
  private final IntList touched = new IntList();

  KeyOrder(History history) {
    this.history = history;
    this.last = new Last[history.sessionCount()];
    Grouping byKey = Grouping.of(history.keys().count(), history.operationCount(), history::key);
    int[] accesses = new int[64];
    for (int key = 0; key < byKey.groups(); key++) {
      int count = 0;
      for (int i = byKey.first(key); i < byKey.end(key); i++) {
        int txn = history.transactionOf(byKey.item(i));
        boolean known = count > 0 && accesses[count - 1] == txn;
        if (!known && history.outcome(txn) != Outcome.ABORTED) {
          accesses = count < accesses.length ? accesses : Arrays.copyOf(accesses, 2 * count);
          accesses[count++] = txn;
        }
      }
      if (count > 1) {
        int[] txns = Arrays.copyOf(accesses, count);
        addSessions(key, txns);
        if (history.hasTimes()) {
          addRealTime(key, txns);
        }
      }
    }
  }

  /** The steps between transactions, labelled with a key. */
  EdgeList steps() {
    return steps;
  }

  /** The moments; each comes after the one before it on its key. */
  List<Instant> instants() {
    return instants;
  }

  /** From transactions to instants. */
  EdgeList ended() {
    return ended;
  }

  /** From instants to transactions. */
  EdgeList began() {
    return began;
  }

  /** Whether real time has a transaction before another. */
  static boolean endedBefore(History history, int first, int second) {
    long end = history.knownEnd(first);
    long start = history.start(second);
    return end != History.ABSENT && start != History.ABSENT && end < start;
  }

  // ---- sessions

  /**
   * What has an unknown outcome may turn out not to count, and then what comes after it still
   * follows what came before it. So an instant comes after both.
   */
  private void addSessions(int key, int[] txns) {
    for (int txn : txns) {
      int session = history.session(txn);
      if (last[session] == null) {
        last[session] = new Last();
        touched.add(session);
      }
      Last before = last[session];
      if (before.uncertain != NONE) {
        int instant = addInstant(key, before.instant, history.start(txn));
        if (before.committed != NONE) {
          ended.add(before.committed, instant, 0, 0);
        }
        ended.add(before.uncertain, instant, 0, 0);
        before.instant = instant;
        before.committed = NONE;
        before.uncertain = NONE;
      }
      if (before.instant != NONE) {
        began.add(before.instant, txn, 0, 0);
      } else if (before.committed != NONE && !endedBefore(history, before.committed, txn)) {
        steps.add(before.committed, txn, key, 0);
      }
      if (history.isCommitted(txn)) {
        before.committed = txn;
        before.instant = NONE;
      } else {
        before.uncertain = txn;
      }
    }
    while (!touched.isEmpty()) {
      last[touched.removeLast()] = null;
    }
  }

  private int addInstant(int key, int before, long time) {
    instants.add(new Instant(key, before, time));
    return instants.size() - 1;
  }

  // ---- real time

  private void addRealTime(int key, int[] txns) {
    int[] begun = Arrays.stream(txns).filter(txn -> history.start(txn) != History.ABSENT).toArray();
    int[] over =
        Arrays.stream(txns).filter(txn -> history.knownEnd(txn) != History.ABSENT).toArray();
    int[] byStart = Sorted.by(begun, history::start);
    int[] byEnd = Sorted.by(over, history::end);
    if (goOver(key, byStart, byEnd, false) <= (long) MANY * txns.length) {
      goOver(key, byStart, byEnd, true);
    } else {
      RealTimeChain.build(begun, history::start, over, history::end, new Chain(key));
    }
  }

  /**
   * Goes over pairs of transactions between which no third one begins and ends. Those are the last
   * to end before a transaction began, back to the latest start among all that ended before it.
   *
   * @param add whether to add these pairs
   * @return how many they are
   */
  private long goOver(int key, int[] byStart, int[] byEnd, boolean add) {
    long pairs = 0;
    long latestStart = Long.MIN_VALUE;
    int from = 0;
    int to = 0;
    for (int txn : byStart) {
      while (to < byEnd.length && history.end(byEnd[to]) < history.start(txn)) {
        latestStart = Math.max(latestStart, history.start(byEnd[to++]));
      }
      while (from < to && history.end(byEnd[from]) < latestStart) {
        from++;
      }
      pairs += to - from;
      for (int i = from; add && i < to; i++) {
        steps.add(byEnd[i], txn, key, 0);
      }
    }
    return pairs;
  }

  private final class Chain implements RealTimeChain.Sink {
    private final int key;

    Chain(int key) {
      this.key = key;
    }

    @Override
    public int instant(int before) {
      return addInstant(key, before, History.ABSENT);
    }

    @Override
    public void ended(int txn, int instant) {
      ended.add(txn, instant, 0, 0);
      Instant known = instants.get(instant);
      instants.set(instant, new Instant(key, known.before, history.end(txn)));
    }

    @Override
    public void began(int instant, int txn) {
      began.add(instant, txn, 0, 0);
    }
  }
}
