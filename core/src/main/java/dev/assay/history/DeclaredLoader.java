package dev.assay.history;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Transactions that are declared, by the history or by the user, to have loaded its initial state:
 * they precede all others. Their writes become the initial state and they are removed from the
 * transactions, so that all levels have one initial state, wherever it comes from.
 */
public final class DeclaredLoader {
  private static final String EXPECTED = "a loader that only writes registers, each of them once";

  private final History whole;
  private final BitSet loaders;

  /** Per key what the loader wrote last, or unknown. */
  private final int[] loaded;

  private DeclaredLoader(History whole, BitSet loaders) {
    this.whole = whole;
    this.loaders = loaders;
    this.loaded = new int[whole.keys().count()];
    Arrays.fill(loaded, Values.UNKNOWN);
  }

  /**
   * The history whose initial state a session loaded. Transactions that the session rolled back are
   * kept.
   *
   * @throws InvalidHistoryException if there is no such session, or it cannot be a loader
   */
  public static History session(History history, String name) {
    int session = 0;
    while (session < history.sessionCount() && !history.sessionText(session).equals(name)) {
      session++;
    }
    return taken(
        history, transactions(history, session < history.sessionCount() ? session : -1, name));
  }

  /**
   * The transactions of a session.
   *
   * @param session its number; −1 if there is none of this name
   */
  static BitSet transactions(History history, int session, Object name) {
    if (session < 0) {
      throw new InvalidHistoryException(
          "it has no session " + name + " that could be the loader", sessions(history));
    }
    BitSet transactions = new BitSet();
    for (int i = 0; i < history.sessionSize(session); i++) {
      transactions.set(history.sessionTransaction(session, i));
    }
    return transactions;
  }

  private static String sessions(History history) {
    StringBuilder known = new StringBuilder("one of its sessions");
    int shown = Math.min(history.sessionCount(), 8);
    for (int session = 0; session < shown; session++) {
      known.append(session == 0 ? ": " : ", ").append(history.sessionText(session));
    }
    return known.append(shown < history.sessionCount() ? ", …" : "").toString();
  }

  /** The history whose initial state some transactions loaded. */
  static History taken(History history, BitSet loaders) {
    return new DeclaredLoader(history, loaders).build();
  }

  private History build() {
    BitSet gone = new BitSet();
    for (int txn = loaders.nextSetBit(0); txn >= 0; txn = loaders.nextSetBit(txn + 1)) {
      if (whole.outcome(txn) == Outcome.INDETERMINATE) {
        throw wrong(txn, "it is not known whether it committed", "a loader that committed");
      }
      if (whole.isCommitted(txn)) {
        load(txn);
        gone.set(txn);
      }
    }
    if (gone.isEmpty()) {
      throw new InvalidHistoryException("its loader committed nothing", "a loader that committed");
    }
    requireFirst(gone);
    return without(gone);
  }

  private void load(int txn) {
    for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
      int key = whole.key(op);
      switch (whole.kind(op)) {
        case WRITE -> {
          if (loaded[key] != Values.UNKNOWN && loaded[key] != whole.value(op)) {
            throw wrong(txn, "it writes " + whole.keys().text(key) + " again", EXPECTED);
          }
          loaded[key] = whole.value(op);
        }
        case READ -> {
          boolean own = loaded[key] == whole.value(op);
          boolean before = loaded[key] == Values.UNKNOWN && whole.hasInitialValue(op);
          if (whole.value(op) != Values.UNKNOWN && !own && !before) {
            throw wrong(txn, "it saw what another transaction wrote: " + whole.text(op), EXPECTED);
          }
        }
        default -> throw wrong(txn, whole.text(op), EXPECTED);
      }
    }
  }

  /** Throws if the recording shows that the loader was not first. */
  private void requireFirst(BitSet gone) {
    long firstEnd = Long.MAX_VALUE;
    int ended = -1;
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      long end = whole.knownEnd(txn);
      if (!gone.get(txn) && end != History.ABSENT && end < firstEnd) {
        firstEnd = end;
        ended = txn;
      }
    }
    for (int txn = gone.nextSetBit(0); txn >= 0; txn = gone.nextSetBit(txn + 1)) {
      int session = whole.session(txn);
      for (int i = 0; i < whole.placeInSession(txn); i++) {
        int before = whole.sessionTransaction(session, i);
        if (!gone.get(before) && whole.outcome(before) != Outcome.ABORTED) {
          throw follows(txn, before);
        }
      }
      if (whole.start(txn) != History.ABSENT && whole.start(txn) > firstEnd) {
        throw follows(txn, ended);
      }
    }
  }

  private InvalidHistoryException follows(int txn, int before) {
    return wrong(
        txn, "it follows " + whole.label(before), "a loader that comes before all transactions");
  }

  private InvalidHistoryException wrong(int txn, String why, String expected) {
    return new InvalidHistoryException(
        whole.label(txn) + " cannot be the loader: " + why, expected);
  }

  private History without(BitSet gone) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(whole.origin());
    builder.initialStateOf(whole);
    whole.metadata().forEach(builder::metadata);
    RawScalars scalars = builder.scalars();
    for (int key = 0; key < loaded.length; key++) {
      if (loaded[key] != Values.UNKNOWN) {
        builder.rawInitially(
            scalars.of(whole.keys().get(key)), scalars.of(whole.values().get(loaded[key])));
      }
    }
    OperationCopy copy = new OperationCopy(whole, builder);
    for (int from = 0; from < whole.transactionCount(); from++) {
      if (!gone.get(from)) {
        int txn = copy.begin(from);
        builder.id(txn, scalars.of(whole.ownId(from)));
        for (int op = whole.firstOp(from); op < whole.endOp(from); op = whole.nextOp(op)) {
          copy.add(op);
        }
      }
    }
    return builder.build();
  }
}
