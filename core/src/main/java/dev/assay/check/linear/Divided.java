package dev.assay.check.linear;

import dev.assay.history.History;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.Rewriting;
import dev.assay.level.Level;
import dev.assay.resolve.PartCopy;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** A history in which each transaction is divided, for the levels of single operations. */
public final class Divided {
  private final History history;
  private final Loaders loaders;
  private final Rewriting.Builder rewriting;
  private final PartCopy copy;

  private Divided(History history) {
    this.history = history;
    this.loaders = new Loaders(history);
    this.rewriting = new Rewriting.Builder(history);
    rewriting.history().initialStateOf(history);
    ReadsFrom reads = history.hasVersionNumbers() ? ReadsFrom.of(history) : null;
    this.copy = new PartCopy(history, reads, rewriting);
  }

  /** The parts that a level is about which is one of single operations. */
  public static Rewriting of(History history, Level level) {
    return level == Level.LINEARIZABLE ? byKey(history) : byRun(history);
  }

  /** What each transaction did with each key, the keys in different sessions. */
  public static Rewriting byKey(History history) {
    BitSet all = new BitSet();
    all.set(0, history.keys().count());
    return byKey(history, all);
  }

  /** The same for some keys. */
  public static Rewriting byKey(History history, BitSet keys) {
    return new Divided(history).byKey(keys);
  }

  /** The runs of operations on one key, in program order. */
  public static Rewriting byRun(History history) {
    return new Divided(history).byRun();
  }

  private Rewriting byKey(BitSet keys) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      long[] byKey = new long[history.endOp(txn) - history.firstOp(txn)];
      for (int i = 0; i < byKey.length; i++) {
        int op = history.firstOp(txn) + i;
        byKey[i] = ((long) history.key(op) << 32) | op;
      }
      Arrays.sort(byKey);
      int from = 0;
      for (int i = 1; i <= byKey.length; i++) {
        if (i == byKey.length || key(byKey[i]) != key(byKey[from])) {
          if (keys.get(key(byKey[from]))) {
            addPart(txn, sessionOf(txn, key(byKey[from])), byKey, from, i);
          }
          from = i;
        }
      }
    }
    return rewriting.build();
  }

  private static int key(long pair) {
    return (int) (pair >> 32);
  }

  /** A session for each session and key: the order of operations on other keys does not count. */
  private List<Object> sessionOf(int txn, int key) {
    return Arrays.asList(history.sessionName(history.session(txn)), history.keys().get(key));
  }

  private Rewriting byRun() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int from = history.firstOp(txn);
      // A loader comes before all others anyway.
      boolean whole = loaders.isLoader(txn);
      for (int op = from + 1; op <= history.endOp(txn) && from < history.endOp(txn); op++) {
        boolean otherKey = op < history.endOp(txn) && history.key(op) != history.key(from);
        if (op == history.endOp(txn) || (otherKey && !whole)) {
          long[] run = new long[op - from];
          for (int i = 0; i < run.length; i++) {
            run[i] = from + i;
          }
          addPart(txn, history.sessionName(history.session(txn)), run, 0, run.length);
          from = op;
        }
      }
    }
    return rewriting.build();
  }

  private void addPart(int txn, Object session, long[] ops, int from, int to) {
    rewriting.beginPart(txn, session);
    boolean loads = true;
    for (int i = from; i < to; i++) {
      int op = (int) ops[i];
      loads &= history.kind(op) == OpKind.WRITE && history.hasInitialValue(op);
      copy.copy(op);
    }
    if (loads && !loaders.isLoader(txn)) {
      // A part must not be taken for a loader where its transaction is none.
      rewriting.blank((int) ops[from]);
    }
  }
}
