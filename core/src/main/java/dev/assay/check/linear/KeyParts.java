package dev.assay.check.linear;

import dev.assay.graph.IntList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What transactions did with one key, a part for each transaction, by start. Optional parts took
 * effect between their start and end, or never; those of unknown outcome have no end.
 */
final class KeyParts {
  static final int NONE = -1;

  /** What becomes of a part in a smaller problem. */
  enum Role {
    /** It stays what it is. */
    KEPT,
    /** It took effect when it may have, or never. */
    RELAXED
  }

  final History history;
  final int key;
  final int[] txn;

  /** The place of each part's first operation in {@link #ops}; one more entry at the end. */
  final int[] first;

  final int[] ops;
  final long[] start;
  final long[] end;
  final boolean[] optional;

  /** The neighbours of each part in its session, or {@link #NONE}. */
  final int[] before;

  final int[] after;

  private KeyParts(History history, int key, int[] txn, int[] first, int[] ops) {
    int count = txn.length;
    this.history = history;
    this.key = key;
    this.txn = txn;
    this.first = first;
    this.ops = ops;
    this.start = new long[count];
    this.end = new long[count];
    this.optional = new boolean[count];
    this.before = new int[count];
    this.after = new int[count];
    Arrays.fill(before, NONE);
    Arrays.fill(after, NONE);
  }

  /**
   * The parts of a key.
   *
   * @param keyOps the operations on the key that may have taken effect, ascending
   */
  static KeyParts of(History history, int key, IntList keyOps) {
    IntList txns = new IntList();
    IntList from = new IntList();
    for (int i = 0; i < keyOps.size(); i++) {
      int owner = history.transactionOf(keyOps.get(i));
      if (txns.isEmpty() || txns.last() != owner) {
        txns.add(owner);
        from.add(i);
      }
    }
    from.add(keyOps.size());
    int[] byStart = Sorted.by(numbers(txns.size()), i -> history.start(txns.get(i)));
    int[] txn = new int[byStart.length];
    int[] first = new int[byStart.length + 1];
    int[] ops = new int[keyOps.size()];
    int filled = 0;
    for (int i = 0; i < byStart.length; i++) {
      txn[i] = txns.get(byStart[i]);
      first[i] = filled;
      for (int j = from.get(byStart[i]); j < from.get(byStart[i] + 1); j++) {
        ops[filled++] = keyOps.get(j);
      }
    }
    first[byStart.length] = filled;
    KeyParts parts = new KeyParts(history, key, txn, first, ops);
    parts.setTimes();
    parts.linkSessions();
    return parts;
  }

  private static int[] numbers(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }

  private void setTimes() {
    for (int i = 0; i < txn.length; i++) {
      long known = history.knownEnd(txn[i]);
      start[i] = history.start(txn[i]);
      end[i] = known == History.ABSENT ? Long.MAX_VALUE : known;
      optional[i] = history.outcome(txn[i]) == Outcome.INDETERMINATE;
    }
  }

  private void linkSessions() {
    int[] bySession =
        Sorted.by(
            numbers(txn.length),
            i -> ((long) history.session(txn[i]) << 32) | history.placeInSession(txn[i]));
    for (int i = 1; i < bySession.length; i++) {
      int earlier = bySession[i - 1];
      int later = bySession[i];
      if (history.session(txn[earlier]) == history.session(txn[later])) {
        after[earlier] = later;
        before[later] = earlier;
      }
    }
  }

  int count() {
    return txn.length;
  }

  /** Whether a part only reads. */
  boolean isRead(int part) {
    for (int i = first[part]; i < first[part + 1]; i++) {
      if (history.kind(ops[i]).isWrite()) {
        return false;
      }
    }
    return true;
  }

  boolean beginsWithRead(int part) {
    return !history.kind(ops[first[part]]).isWrite();
  }

  /** The value that a part wrote last, or {@link Values#UNKNOWN}. */
  int lastWritten(int part) {
    for (int i = first[part + 1] - 1; i >= first[part]; i--) {
      if (history.kind(ops[i]).isWrite()) {
        return history.value(ops[i]);
      }
    }
    return Values.UNKNOWN;
  }

  /** What a part does; equal for two parts that do the same. */
  List<Integer> contents(int part) {
    List<Integer> contents = new ArrayList<>();
    for (int i = first[part]; i < first[part + 1]; i++) {
      contents.add(history.kind(ops[i]).ordinal());
      contents.add(history.value(ops[i]));
    }
    return contents;
  }

  /**
   * A problem that has an order if this one has: some parts only, of which some are relaxed. Those
   * left out must be such that no order needs them: reads, parts that began after all that must
   * take effect had ended, and what {@link KeyState#canHelp} excludes.
   *
   * @param roles the role of each part; null for those that are left out
   */
  KeyParts some(Role[] roles) {
    IntList chosen = new IntList();
    for (int part = 0; part < roles.length; part++) {
      if (roles[part] != null) {
        chosen.add(part);
      }
    }
    IntList someOps = new IntList();
    int[] someTxn = new int[chosen.size()];
    int[] someFirst = new int[chosen.size() + 1];
    int[] place = new int[count()];
    for (int i = 0; i < someTxn.length; i++) {
      int part = chosen.get(i);
      someTxn[i] = txn[part];
      someFirst[i] = someOps.size();
      place[part] = i;
      for (int j = first[part]; j < first[part + 1]; j++) {
        someOps.add(ops[j]);
      }
    }
    someFirst[someTxn.length] = someOps.size();
    KeyParts some = new KeyParts(history, key, someTxn, someFirst, someOps.toArray());
    for (int i = 0; i < someTxn.length; i++) {
      int part = chosen.get(i);
      some.start[i] = start[part];
      some.end[i] = end[part];
      some.optional[i] = optional[part] || roles[part] == Role.RELAXED;
      int next = after[part];
      while (next != NONE && roles[next] == null) {
        next = after[next];
      }
      if (next != NONE) {
        some.after[i] = place[next];
        some.before[place[next]] = i;
      }
    }
    return some;
  }
}
