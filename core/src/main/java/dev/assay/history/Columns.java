package dev.assay.history;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** What {@link HistoryBuilder} fills in; never changed once a history has it. */
final class Columns implements Cloneable {
  Origin origin;
  Map<String, String> metadata;
  boolean zeroIsInitial;

  /** The code of the initial value of all registers if it is neither nil nor 0, else unknown. */
  int initialOfAll;

  /** Per key the code of its declared initial value, or unknown; null if none is declared. */
  int[] initial;

  int[] sessionNames;
  Map<Integer, String> errors;

  /** Transactions that committed although their clients never learned it; null for none. */
  BitSet unacknowledged;

  // Per transaction.
  int[] session;
  byte[] outcome;
  int[] firstOp;
  int[] id;
  long[] position;
  int[] file;
  long[] start;
  long[] end;
  long[] shownStart;
  long[] shownEnd;
  long[] snapshotTs;
  long[] commitTs;
  long[] serialPosition;

  /** Indexes of the names of the levels that transactions ran at; null if none has one. */
  int[] level;

  List<String> levelNames;

  /** Bits of the types of all operations. */
  int types;

  /** Whether some reads are known only not to have seen a value. */
  boolean others;

  /** Whether some values have the numbers of their versions. */
  boolean versions;

  // Per operation.
  byte[] kind;
  int[] key;
  int[] value;

  Columns copy() {
    try {
      return (Columns) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** The same columns where more transactions are known to have committed. */
  Columns committing(BitSet more) {
    Columns other = copy();
    other.unacknowledged = (BitSet) more.clone();
    if (unacknowledged != null) {
      other.unacknowledged.or(unacknowledged);
    }
    other.outcome = outcome.clone();
    more.stream().forEach(txn -> other.outcome[txn] = (byte) Outcome.COMMITTED.ordinal());
    if (end != null) {
      // The time at which the client gave up is not the time of the commit.
      other.end = end.clone();
      more.stream().forEach(txn -> other.end[txn] = History.ABSENT);
    }
    return other;
  }
}
