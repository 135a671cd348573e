package dev.assay;

import dev.assay.check.Ledger;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.level.Level;
import dev.assay.resolve.OtherReads;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Guesses what was read by conditions that failed, of which only is known which value they did not
 * find. A level that holds with the guess holds: it is one of the possible choices of writers. A
 * good guess saves the search among all of them, which are very many.
 *
 * <p>Guesses are made by running the transactions in a likely order and looking at what is there.
 */
final class FailedConditions {
  private static final int NONE = -1;

  private final History history;
  private final int[] order;

  /** For each transaction its place in the order, or −1. */
  private final int[] place;

  /** For each key the last write of each transaction in the order that wrote it, as a list. */
  private final int[] lastOfKey;

  private final int[] before;
  private final int[] after;
  private final int[] result;

  /** For each key what any transaction wrote last so far. */
  private final int[] current;

  private FailedConditions(History history, int[] order) {
    this.history = history;
    this.order = order;
    this.place = new int[history.transactionCount()];
    this.lastOfKey = new int[history.keys().count()];
    this.before = new int[history.operationCount()];
    this.after = new int[history.operationCount()];
    this.result = new int[history.operationCount()];
    this.current = new int[history.keys().count()];
    Arrays.fill(place, NONE);
    Arrays.fill(lastOfKey, NONE);
    Arrays.fill(current, NONE);
    Arrays.fill(after, NONE);
    for (int op = 0; op < result.length; op++) {
      result[op] = history.value(op);
    }
  }

  /**
   * The history with a likely result for each such read, or null where there is none.
   *
   * @param order the transactions that count, in a likely order
   */
  static History guess(History history, int[] order) {
    FailedConditions conditions = new FailedConditions(history, order);
    conditions.linkWrites();
    return conditions.guessAll() ? history.withResults(conditions.result) : null;
  }

  /** Links the last writes of each key by the transactions in the order. */
  private void linkWrites() {
    for (int i = 0; i < order.length; i++) {
      int txn = order[i];
      place[txn] = i;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE && history.lastWrite(txn, history.key(op)) == op) {
          int key = history.key(op);
          before[op] = lastOfKey[key];
          if (lastOfKey[key] != NONE) {
            after[lastOfKey[key]] = op;
          }
          lastOfKey[key] = op;
        }
      }
    }
  }

  private boolean guessAll() {
    for (int txn : order) {
      if (!guess(txn)) {
        return false;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE) {
          current[history.key(op)] = op;
        }
      }
    }
    // Some of the others may count by another choice of writers; any result will do for them.
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (place[txn] == NONE && !guess(txn)) {
        return false;
      }
    }
    return true;
  }

  private boolean guess(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.isOtherRead(op)) {
        result[op] = likely(txn, op);
        if (result[op] == Values.UNKNOWN) {
          return false;
        }
      }
    }
    return true;
  }

  /** What a read may have seen: what its transaction saw or wrote itself, else what is there. */
  private int likely(int txn, int read) {
    int key = history.key(read);
    for (int op = read - 1; op >= history.firstOp(txn); op--) {
      boolean known = history.key(op) == key && result[op] != Values.UNKNOWN;
      boolean register = history.kind(op) == OpKind.WRITE || history.kind(op) == OpKind.READ;
      if (known && register) {
        return history.agrees(read, result[op]) ? result[op] : Values.UNKNOWN;
      }
    }
    int write = current[key];
    if (history.agrees(read, value(key, write))) {
      return value(key, write);
    }
    int later = write == NONE ? firstOf(key) : after[write];
    int earlier = write == NONE ? NONE : before[write];
    boolean mayBeLater = later != NONE && history.agrees(read, history.value(later));
    boolean mayBeEarlier = write != NONE && history.agrees(read, value(key, earlier));
    if (mayBeLater && (!mayBeEarlier || overlap(txn, history.transactionOf(later)))) {
      return history.value(later);
    }
    return mayBeEarlier ? value(key, earlier) : Values.UNKNOWN;
  }

  private int firstOf(int key) {
    int first = lastOfKey[key];
    while (first != NONE && before[first] != NONE) {
      first = before[first];
    }
    return first;
  }

  private int value(int key, int write) {
    return write == NONE ? history.initialValue(key) : history.value(write);
  }

  private boolean overlap(int txn, int other) {
    return history.session(txn) != history.session(other)
        && (history.end(txn) == History.ABSENT || history.start(other) <= history.end(txn));
  }

  /** Whether no other choice could tell more than a guess. */
  static boolean decides(Report byGuess) {
    return byGuess.verdicts().values().stream()
        .allMatch(
            verdict ->
                verdict instanceof Verdict.Holds
                    || verdict instanceof Verdict.Unknown open
                        && open.reason() == Verdict.Reason.NO_REALTIME);
  }

  /** What is decided with the guess, and by all choices. */
  static Report settled(Report report, Report byGuess) {
    Map<Level, Verdict> decided = new EnumMap<>(Level.class);
    boolean examined = OtherReads.candidatesFit(report.history());
    report
        .verdicts()
        .forEach(
            (level, verdict) -> {
              boolean unexamined = !examined && verdict instanceof Verdict.Holds;
              if (byGuess != null && byGuess.holds(level)) {
                decided.put(level, byGuess.verdict(level));
              } else {
                decided.put(level, unexamined ? unexamined() : verdict);
              }
            });
    return report.with(Ledger.of(decided, report.anomalies()), report.notes());
  }

  private static Verdict unexamined() {
    return new Verdict.Unknown(
        Verdict.Reason.AMBIGUOUS,
        "too many writes may have been seen by conditions that failed; nothing else violates it");
  }
}
