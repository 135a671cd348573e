package dev.assay.resolve;

import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.history.Versioned;
import java.util.BitSet;

/**
 * A history with version numbers in which each read has exactly the result that was written, number
 * included, so that equal results are of one version.
 *
 * <p>A read that has a number saw the write with that value and number; where there is none, a
 * write of the value whose number is not on record, or the initial version. A read without a number
 * may have seen any write of its value: where these have different numbers, it is left out ({@link
 * #unclear}), and so is a condition that failed on a value that was written with a number.
 *
 * @see Versioned
 */
public final class NamedVersions {
  private static final int NONE = -1;

  private final History recorded;
  private final Values values;
  private final int[] result;
  private int unclear = NONE;

  /** Keys with what was written to them. */
  private final LongIndex written = new LongIndex();

  /** Keys with values without their numbers, and for each of them what was written. */
  private final LongIndex groups = new LongIndex();

  private final IntList last = new IntList();
  private final BitSet several = new BitSet();
  private final BitSet unnumbered = new BitSet();

  private NamedVersions(History recorded) {
    this.recorded = recorded;
    this.values = recorded.values();
    this.result = new int[recorded.operationCount()];
  }

  /** The results of a history that has version numbers. */
  public static NamedVersions of(History recorded) {
    NamedVersions named = new NamedVersions(recorded);
    for (int op = 0; op < named.result.length; op++) {
      named.result[op] = recorded.value(op);
      if (recorded.kind(op) == OpKind.WRITE) {
        named.addWrite(recorded.key(op), recorded.value(op));
      }
    }
    for (int txn = 0; txn < recorded.transactionCount(); txn++) {
      for (int op = recorded.firstOp(txn); op < recorded.endOp(txn); op++) {
        if (recorded.kind(op) == OpKind.READ && named.result[op] != Values.UNKNOWN) {
          named.result[op] = named.seen(txn, op);
          boolean leftOut = named.result[op] == Values.UNKNOWN;
          if (leftOut && recorded.outcome(txn) != Outcome.ABORTED) {
            named.unclear = op;
          }
        }
      }
    }
    return named;
  }

  /** The history with these results. */
  public History history() {
    return recorded.withResults(result);
  }

  /** A read that is left out because it is not clear which version it saw, or −1. */
  public int unclear() {
    return unclear;
  }

  private static long pair(int key, int code) {
    return (long) key << 32 | code & 0xffffffffL;
  }

  private void addWrite(int key, int code) {
    int before = written.size();
    if (written.indexOf(pair(key, code)) < before) {
      return;
    }
    int group = groups.indexOf(pair(key, values.unversioned(code)));
    if (group == last.size()) {
      last.add(code);
    } else {
      several.set(group);
    }
    if (!values.isVersioned(code)) {
      unnumbered.set(group);
    }
  }

  private int seen(int txn, int read) {
    int key = recorded.key(read);
    int code = recorded.value(read);
    if (values.isOther(code)) {
      int group = groups.find(pair(key, values.excluded(code)));
      boolean plain = group < 0 || unnumbered.get(group) && !several.get(group);
      return plain && !beginsWith(key, values.excluded(code)) ? code : Values.UNKNOWN;
    }
    return values.isVersioned(code) ? seenNumbered(key, code) : seenPlain(txn, read, key, code);
  }

  private int seenNumbered(int key, int code) {
    if (written.find(pair(key, code)) >= 0 || recorded.isInitial(key, code)) {
      return code;
    }
    int plain = values.unversioned(code);
    int group = groups.find(pair(key, plain));
    boolean possible = group >= 0 && unnumbered.get(group) || recorded.isInitial(key, plain);
    return possible ? plain : code;
  }

  private int seenPlain(int txn, int read, int key, int code) {
    int group = groups.find(pair(key, code));
    boolean loaded = beginsWith(key, code);
    if (group < 0) {
      return loaded ? recorded.declaredInitial(key) : code;
    }
    if (!several.get(group) && !loaded) {
      boolean plain = unnumbered.get(group);
      if (plain || !recorded.isInitial(key, code)) {
        return last.get(group);
      }
    }
    for (int op = read - 1; op >= recorded.firstOp(txn); op--) {
      if (recorded.kind(op) == OpKind.WRITE && recorded.key(op) == key) {
        int own = recorded.value(op);
        return values.unversioned(own) == code ? own : Values.UNKNOWN;
      }
    }
    return Values.UNKNOWN;
  }

  /** Whether a key begins with a value that has a number. */
  private boolean beginsWith(int key, int plain) {
    int initial = recorded.declaredInitial(key);
    return initial != Values.UNKNOWN
        && values.isVersioned(initial)
        && values.unversioned(initial) == plain;
  }
}
