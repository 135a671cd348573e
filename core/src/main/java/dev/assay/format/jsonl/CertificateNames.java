package dev.assay.format.jsonl;

import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/** Looks up in a history what a certificate names. */
final class CertificateNames {
  static final int UNKNOWN = -2;
  static final int AMBIGUOUS = -3;
  static final int ABORTED = -4;

  /** The key is a set or a counter, whose versions have no names. */
  static final int UNORDERED = -5;

  private final History history;
  private final Loaders loaders;
  private final Map<String, Integer> keys = new HashMap<>();

  /** For values written the operation, or what is wrong with it; null until it is needed. */
  private WritesByKey written;

  private final IntBinaryOperator merged = this::merged;
  private Map<String, Integer> transactions;

  /** The transaction that was asked for last. */
  private int last = -1;

  CertificateNames(History history) {
    this.history = history;
    this.loaders = new Loaders(history);
    for (int key = 0; key < history.keys().count(); key++) {
      keys.merge(history.keys().text(key), key, (a, b) -> AMBIGUOUS);
    }
  }

  /** A value as people write it. */
  static String text(Object value) {
    return value == null ? "nil" : value.toString();
  }

  /** The number of a key; negative where there is none, or several that look the same. */
  int key(Object key) {
    return keys.getOrDefault(text(key), UNKNOWN);
  }

  /** The transaction that reports call so, or a negative number. */
  int transaction(Object id) {
    if (id instanceof String text && history.hasTextIds()) {
      // Those in an order mostly follow each other in the file too.
      int next = last + 1;
      boolean follows = next < history.transactionCount() && text.equals(history.ownId(next));
      int found = follows ? next : history.transactionWithId(text);
      if (found >= 0) {
        last = found;
        return found;
      }
    }
    if (transactions == null) {
      transactions = new HashMap<>();
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        transactions.merge(history.label(txn), txn, (a, b) -> AMBIGUOUS);
      }
    }
    String name = text(id);
    // Texts for people call transaction 3 T3, JSON calls it 3.
    String bare = name.startsWith("T") ? name.substring(1) : name;
    return transactions.getOrDefault(name, transactions.getOrDefault(bare, UNKNOWN));
  }

  /** A version named by its writer. */
  record WrittenBy(Object transaction) {
    @Override
    public String toString() {
      return "what " + text(transaction) + " wrote";
    }
  }

  /** The predicate operation that {@code T7#2} names, or a negative number. */
  int predicate(String name) {
    int hash = name.lastIndexOf('#');
    int txn = hash < 0 ? UNKNOWN : transaction(name.substring(0, hash));
    if (txn < 0) {
      return UNKNOWN;
    }
    String ordinal = name.substring(hash + 1);
    for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
      boolean named = String.valueOf(history.ordinal(txn, op)).equals(ordinal);
      if (named && history.kind(op).isPredicate()) {
        return op;
      }
    }
    return UNKNOWN;
  }

  private int writeBy(int key, Object transaction) {
    int txn = transaction(transaction);
    if (txn < 0) {
      return UNKNOWN;
    }
    int write = history.lastWrite(txn, key);
    return write < 0 ? UNKNOWN : entry(history.kind(write), txn, write);
  }

  /** The operation that wrote a value, {@link VersionCertificate#INITIAL}, or what is wrong. */
  int write(int key, Object value) {
    if (value instanceof WrittenBy by) {
      return writeBy(key, by.transaction());
    }
    int code = history.values().find(value);
    return code == Values.UNKNOWN ? UNKNOWN : writeOf(key, code);
  }

  /** The same for the code of a value. */
  int writeOf(int key, int code) {
    if (written == null) {
      collectWrites();
    }
    int write = written.get(key, code, UNKNOWN);
    boolean initial = history.isInitial(key, code) || code == Values.NIL;
    if (write == UNKNOWN) {
      return initial ? VersionCertificate.INITIAL : UNKNOWN;
    }
    boolean either = initial && write >= 0 && !loaders.isLoader(history.transactionOf(write));
    return either ? AMBIGUOUS : write;
  }

  private void collectWrites() {
    written = new WritesByKey(history);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      collectWrites(txn);
    }
  }

  private void collectWrites(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      OpKind kind = history.kind(op);
      if (WritesByKey.isListed(kind)) {
        written.put(history.key(op), history.value(op), entry(kind, txn, op), merged);
      }
    }
  }

  private int entry(OpKind kind, int txn, int op) {
    if (kind != OpKind.WRITE && kind != OpKind.APPEND) {
      return UNORDERED;
    }
    return isAborted(txn) ? ABORTED : op;
  }

  boolean isAborted(int txn) {
    return history.outcome(txn) == Outcome.ABORTED;
  }

  /** A transaction that writes a value twice is not ambiguous; an aborted write gives way. */
  private int merged(int before, int after) {
    if (before == ABORTED || after == ABORTED) {
      return before == ABORTED ? after : before;
    }
    boolean same =
        before >= 0 && after >= 0 && history.transactionOf(before) == history.transactionOf(after);
    return same ? after : Math.min(before, AMBIGUOUS);
  }
}
