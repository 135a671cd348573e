package dev.assay.type;

import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Rewriting;
import dev.assay.history.Values;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Rewrites a history of sets to one in which each element is a register: absent at first, written
 * by an addition. A read of a set reads the register of every element ever added to it; those it
 * lacks have the initial version. This is the meaning of a set whose elements are separate items.
 * Each register has one writer, so the order of all versions is known. Transactions keep their
 * numbers.
 *
 * <p>A set remains a set where several transactions added the same element: whether they conflict
 * depends on the database, and which of them a read saw is not known. Aborted additions and
 * elements that were never added are left out: a read of one is an anomaly whatever the order.
 */
final class SetItems {
  /** Number of element reads that the rewriting may create in any case. */
  private static final long FREE = 1 << 22;

  /** Additional element reads allowed per operation and per element that a read shows. */
  private static final int PER_ELEMENT = 8;

  private static final long PRESENT = 1;

  private final History whole;

  /** Sets that are not rewritten. */
  private final BitSet kept = new BitSet();

  /** Elements of sets, as pairs of key and element, that transactions may have added. */
  private final LongIndex pairs = new LongIndex();

  /** The first addition of each. */
  private int[] addition = new int[16];

  private int known;
  private String problem = "";
  private boolean repeats;
  private Rewriting rewriting;

  // The elements of each set.
  private Grouping items;

  /** The history with the elements of its sets as registers. */
  static AsRegisters of(History whole, Given given) {
    SetItems items = new SetItems(whole, given);
    return new AsRegisters(items.rewriting, items.problem, items.repeats);
  }

  /** Finds the sets that can be rewritten. */
  private SetItems(History whole, Given given) {
    this.whole = whole;
    this.rewriting = Rewriting.none(whole);
    if (whole.uses(OpKind.Type.PREDICATE)) {
      problem = "sets are not checked in histories with predicates";
    } else if (!given.assumptions().equals(Assumption.DEFAULT)) {
      problem = "sets are not checked under assumptions (--infer)";
    } else if (!given.certificate().chains().isEmpty()) {
      problem = "sets are not checked together with a certificate for other keys";
    } else {
      findAdditions();
      keepMixed();
      sortItems();
      if (isWithinBounds()) {
        build();
      }
    }
  }

  private void findAdditions() {
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); !aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == OpKind.ADD) {
          int item = pairs.indexOf(pair(whole.key(op), whole.value(op)));
          if (item == addition.length) {
            addition = Arrays.copyOf(addition, Math.addExact(item, item >>> 1));
          }
          if (item == known) {
            addition[known++] = op;
          } else if (whole.transactionOf(addition[item]) != txn) {
            keep(op);
          }
        }
      }
    }
    keepUncertain();
  }

  /**
   * Keeps sets with an element added by an aborted and a lost transaction: a read may show either.
   */
  private void keepUncertain() {
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == OpKind.ADD) {
          int item = pairs.find(pair(whole.key(op), whole.value(op)));
          if (item >= 0 && !whole.isCommitted(whole.transactionOf(addition[item]))) {
            keep(op);
          }
        }
      }
    }
  }

  private void keep(int repeated) {
    int key = whole.key(repeated);
    if (kept.isEmpty()) {
      problem =
          "the element %s was added to the set %s by several transactions"
              .formatted(whole.values().get(whole.value(repeated)), whole.keys().text(key));
    }
    kept.set(key);
    repeats = true;
  }

  /** Keeps keys that are a set to some operations and something else to others. */
  private void keepMixed() {
    BitSet others = new BitSet();
    BitSet sets = new BitSet();
    for (int op = 0; op < whole.operationCount(); op++) {
      (whole.kind(op).type() == OpKind.Type.SET ? sets : others).set(whole.key(op));
    }
    sets.and(others);
    if (!sets.isEmpty()) {
      problem =
          "the key %s is not used only as a set".formatted(whole.keys().text(sets.nextSetBit(0)));
      kept.or(sets);
      // No choice of who added what makes such a key a set.
      repeats = false;
    }
  }

  private void sortItems() {
    items = Grouping.of(whole.keys().count(), known, item -> whole.key(addition[item]));
  }

  private boolean isWithinBounds() {
    long needed = 0;
    long allowed = FREE + (long) PER_ELEMENT * whole.operationCount();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); !aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == OpKind.SET_READ && isKnown(op)) {
          needed += items.size(whole.key(op));
          allowed += (long) PER_ELEMENT * whole.sequences().length(whole.value(op));
        }
      }
    }
    if (needed > Math.min(allowed, Integer.MAX_VALUE / 4)) {
      problem = "reads of sets would need %,d element lookups".formatted(needed);
      return false;
    }
    return true;
  }

  private boolean isKnown(int op) {
    return !kept.get(whole.key(op)) && whole.value(op) != Values.UNKNOWN;
  }

  private boolean isAborted(int txn) {
    return whole.outcome(txn) == Outcome.ABORTED;
  }

  private void build() {
    Rewriting.Builder builder = new Rewriting.Builder(whole);
    builder.history().initialStateOf(whole);
    long base = firstFreeName();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      builder.begin(txn);
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); op < whole.endOp(txn); op++) {
        if (whole.kind(op).type() != OpKind.Type.SET || kept.get(whole.key(op))) {
          builder.copy(op);
        } else if (!aborted && isKnown(op)) {
          builder.from(op);
          expand(op, builder.history(), base);
        }
      }
    }
    rewriting = builder.build();
  }

  /** The first of enough consecutive integers that are not keys. */
  private long firstFreeName() {
    long[] taken =
        IntStream.range(0, whole.keys().count())
            .mapToObj(whole.keys()::get)
            .filter(Long.class::isInstance)
            .mapToLong(Long.class::cast)
            .sorted()
            .toArray();
    long free = 0;
    for (long key : taken) {
      free = key >= free && key < free + known ? key + 1 : free;
    }
    return free;
  }

  private void expand(int op, HistoryBuilder builder, long base) {
    if (whole.kind(op) == OpKind.ADD) {
      int item = pairs.find(pair(whole.key(op), whole.value(op)));
      if (addition[item] == op) {
        builder.op(OpKind.WRITE, base + item, PRESENT);
      }
      return;
    }
    // A set read is atomic: what it lacks comes first, so that nothing seems to be read before it.
    read(op, false, builder, base);
    read(op, true, builder, base);
  }

  private void read(int op, boolean present, HistoryBuilder builder, long base) {
    int key = whole.key(op);
    for (int i = items.first(key); i < items.end(key); i++) {
      int element = whole.value(addition[items.item(i)]);
      if (whole.sequences().setContains(whole.value(op), element) == present) {
        builder.op(OpKind.READ, base + items.item(i), present ? PRESENT : RawScalars.NIL);
      }
    }
  }

  private static long pair(int key, int value) {
    return ((long) key << 32) | (value & 0xffffffffL);
  }
}
