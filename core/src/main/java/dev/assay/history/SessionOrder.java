package dev.assay.history;

/** The transactions of each session in order, and each transaction's place in its session. */
final class SessionOrder {
  private final int[] first;
  private final int[] transactions;
  private final int[] place;

  SessionOrder(int[] session, int sessions) {
    first = new int[sessions + 1];
    for (int s : session) {
      first[s + 1]++;
    }
    for (int s = 0; s < sessions; s++) {
      first[s + 1] += first[s];
    }
    transactions = new int[session.length];
    place = new int[session.length];
    int[] next = first.clone();
    for (int txn = 0; txn < session.length; txn++) {
      int slot = next[session[txn]]++;
      transactions[slot] = txn;
      place[txn] = slot - first[session[txn]];
    }
  }

  int size(int s) {
    return first[s + 1] - first[s];
  }

  int transaction(int s, int index) {
    if (index < 0 || index >= size(s)) {
      throw new IndexOutOfBoundsException("session " + s + " has no transaction " + index);
    }
    return transactions[first[s] + index];
  }

  int place(int txn) {
    return place[txn];
  }
}
