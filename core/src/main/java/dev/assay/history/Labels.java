package dev.assay.history;

/** Names of transactions in reports, worked out when first asked for. */
final class Labels {
  private final History history;
  private Boolean ownIdsAreUnique;

  Labels(History history) {
    this.history = history;
  }

  String label(int txn) {
    int id = history.columns.id[txn];
    String session = history.sessionText(history.session(txn));
    if (id == Values.UNKNOWN) {
      return session + "/#" + (history.placeInSession(txn) + 1);
    }
    String own = history.values.text(id);
    return ownIdsAreUnique() ? own : session + "/" + own;
  }

  private synchronized boolean ownIdsAreUnique() {
    if (ownIdsAreUnique == null) {
      LongIndex seen = new LongIndex();
      ownIdsAreUnique = true;
      for (int id : history.columns.id) {
        int before = seen.size();
        if (id != Values.UNKNOWN && seen.indexOf(id) < before) {
          ownIdsAreUnique = false;
          break;
        }
      }
    }
    return ownIdsAreUnique;
  }
}
