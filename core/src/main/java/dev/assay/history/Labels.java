package dev.assay.history;

/** Names of transactions in reports, computed on first use. */
final class Labels {
  private final History history;
  private boolean ownIdsAreUnique;

  /** The ids, as far as they are unique; where all transactions have one, numbered as these are. */
  private LongIndex ids;

  private Boolean textIds;

  Labels(History history) {
    this.history = history;
  }

  String label(int txn) {
    int id = history.columns.id[txn];
    String session = history.sessionText(history.session(txn));
    if (id == Values.UNKNOWN) {
      return unnamed(session, history.placeInSession(txn) + 1);
    }
    String own = history.values.text(id);
    return ownIdsAreUnique() ? own : session + "/" + own;
  }

  /** The name of the n-th transaction of a session, which has no id. */
  static String unnamed(String session, int place) {
    return session + "/#" + place;
  }

  /** Whether every transaction has an id, and all ids are distinct texts. */
  boolean areTexts() {
    if (!ownIdsAreUnique() || ids.size() != history.transactionCount()) {
      return false;
    }
    if (textIds == null) {
      boolean texts = true;
      for (int id : history.columns.id) {
        texts &= history.values.get(id) instanceof String;
      }
      textIds = texts;
    }
    return textIds;
  }

  /** The transaction with this id, or −1; only where all {@linkplain #areTexts ids are texts}. */
  int transaction(String id) {
    int code = history.values.find(id);
    return code == Values.UNKNOWN ? -1 : ids.find(code);
  }

  private synchronized boolean ownIdsAreUnique() {
    if (ids == null) {
      LongIndex seen = new LongIndex();
      ownIdsAreUnique = true;
      for (int id : history.columns.id) {
        int before = seen.size();
        if (id != Values.UNKNOWN && seen.indexOf(id) < before) {
          ownIdsAreUnique = false;
          break;
        }
      }
      ids = seen;
    }
    return ownIdsAreUnique;
  }
}
