package dev.assay.history;

import dev.assay.graph.Grouping;

/** The transactions of each session in order, and each transaction's place in its session. */
final class SessionOrder {
  private final Grouping transactions;
  private final int[] place;

  SessionOrder(int[] session, int sessions) {
    transactions = Grouping.of(sessions, session);
    place = new int[session.length];
    for (int s = 0; s < sessions; s++) {
      for (int i = 0; i < size(s); i++) {
        place[transactions.item(transactions.first(s) + i)] = i;
      }
    }
  }

  int size(int s) {
    return transactions.size(s);
  }

  int transaction(int s, int index) {
    if (index < 0 || index >= size(s)) {
      throw new IndexOutOfBoundsException("session " + s + " has no transaction " + index);
    }
    return transactions.item(transactions.first(s) + index);
  }

  int place(int txn) {
    return place[txn];
  }
}
