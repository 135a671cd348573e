package dev.assay.check.weak;

import dev.assay.history.History;
import java.util.Arrays;

/** Decides whether an {@link Axiom} bound a reader t3 of x to see another writer t2 of x. */
final class Premises {
  private final Causality causality;
  private final History history;

  /** Who reads from a transaction: ascending readers at places {@code firstReader[txn]}… */
  private int[] firstReader;

  private int[] reader;

  Premises(Causality causality) {
    this.causality = causality;
    this.history = causality.history();
  }

  /** Must be called once before tests of axioms that look at what sessions have read. */
  void prepareReaders() {
    if (firstReader != null) {
      return;
    }
    int transactions = causality.transactions();
    firstReader = new int[transactions + 1];
    for (int txn = 0; txn < transactions; txn++) {
      for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
        firstReader[causality.source(i) + 1]++;
      }
    }
    for (int txn = 0; txn < transactions; txn++) {
      firstReader[txn + 1] += firstReader[txn];
    }
    reader = new int[firstReader[transactions]];
    int[] next = Arrays.copyOf(firstReader, transactions);
    for (int txn = 0; txn < transactions; txn++) {
      for (int i = causality.firstSource(txn); i < causality.endSource(txn); i++) {
        reader[next[causality.source(i)]++] = txn;
      }
    }
  }

  static boolean needsReaders(Axiom axiom) {
    return switch (axiom) {
      case PRAM, MONOTONIC_READS, WRITES_FOLLOW_READS -> true;
      default -> false;
    };
  }

  /** Whether t3, reading {@code key} from t1, was bound to see t2. */
  boolean test(Axiom axiom, CausalPast past, int t1, int t2, int t3, int key) {
    return switch (axiom) {
      case CAUSAL -> past.covers(history.session(t2)) && past.contains(t2, t3);
      case READ_ATOMIC -> causality.precedesInSession(t2, t3) || causality.readsFrom(t3, t2);
      case READ_COMMITTED, MONOTONIC_ATOMIC_VIEW -> readsBefore(t1, t2, t3, key);
      case READ_YOUR_WRITES -> causality.precedesInSession(t2, t3);
      case MONOTONIC_READS -> sessionHasRead(t2, t3);
      case MONOTONIC_WRITES -> readsLaterInSession(t2, t3);
      case WRITES_FOLLOW_READS -> readsFromSessionThatRead(t2, t3);
      case PRAM ->
          causality.precedesInSession(t2, t3)
              || readsLaterInSession(t2, t3)
              || sessionHasRead(t2, t3);
    };
  }

  /** Whether t3 reads anything from t2 earlier than some read of the key from t1. */
  private boolean readsBefore(int t1, int t2, int t3, int key) {
    if (!causality.readsFrom(t3, t2)) {
      return false;
    }
    boolean seen = false;
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      int source = causality.sourceOf(op);
      if (seen && source == t1 && history.key(op) == key) {
        return true;
      }
      seen |= source == t2;
    }
    return false;
  }

  /** The first read by t3 of a key other than this one from t2, or −1. */
  int otherKeyRead(int t2, int t3, int key) {
    for (int op = history.firstOp(t3); op < history.endOp(t3); op++) {
      if (history.key(op) != key && causality.sourceOf(op) == t2) {
        return op;
      }
    }
    return Causality.NONE;
  }

  /** The last read of a key from a transaction (or the initial version) by t3, or −1. */
  int lastRead(int t1, int t3, int key) {
    for (int op = history.endOp(t3) - 1; op >= history.firstOp(t3); op--) {
      if (history.key(op) == key && causality.sourceOf(op) == t1) {
        return op;
      }
    }
    return Causality.NONE;
  }

  private boolean sessionHasRead(int t2, int t3) {
    for (int i = firstReader[t2]; i < firstReader[t2 + 1]; i++) {
      if (causality.precedesInSession(reader[i], t3)) {
        return true;
      }
    }
    return false;
  }

  private boolean readsLaterInSession(int t2, int t3) {
    for (int i = causality.firstSource(t3); i < causality.endSource(t3); i++) {
      if (causality.precedesInSession(t2, causality.source(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean readsFromSessionThatRead(int t2, int t3) {
    for (int i = firstReader[t2]; i < firstReader[t2 + 1]; i++) {
      for (int j = causality.firstSource(t3); j < causality.endSource(t3); j++) {
        if (causality.precedesInSession(reader[i], causality.source(j))) {
          return true;
        }
      }
    }
    return false;
  }
}
