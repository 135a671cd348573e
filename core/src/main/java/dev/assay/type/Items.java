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
 * Rewrites a history so that each item of a type ({@link OpKind.Type#hasItems}) is a register:
 * absent at first, and then written once. A read reads the registers of those items that it shows
 * to be there or not; the latter have the initial version. A read of a set reads one register for
 * every element ever added to it: this is the meaning of a set whose elements are separate items.
 * Each register has one writer, so the order of all versions is known. Transactions keep their
 * numbers.
 *
 * <p>A key is not rewritten where several transactions wrote the same item: whether they conflict
 * depends on the database, and which of them a read saw is not known. Aborted writes and items that
 * were never written are left out: a read of one is an anomaly whatever the order.
 */
final class Items {
  /** Number of item reads that the rewriting may create in any case. */
  private static final long FREE = 1 << 22;

  /** Additional item reads allowed per operation and per element that a read shows. */
  private static final int PER_ELEMENT = 8;

  private static final long PRESENT = 1;

  private final History whole;
  private final OpKind.Type type;
  private final DataType strategy;

  /** Keys that are not rewritten. */
  private final BitSet kept = new BitSet();

  /** Items, as pairs of key and value, that transactions may have written. */
  private final LongIndex pairs = new LongIndex();

  /** The first write of each. */
  private int[] write = new int[16];

  private int known;
  private String problem = "";
  private boolean repeats;
  private Rewriting rewriting;

  // The items of each key.
  private Grouping items;

  /** The history with the items of a type that it uses as registers. */
  static AsRegisters of(OpKind.Type type, History whole, Given given) {
    Items items = new Items(type, whole, given);
    return new AsRegisters(items.rewriting, items.problem, items.repeats);
  }

  /** Finds the keys that can be rewritten. */
  private Items(OpKind.Type type, History whole, Given given) {
    this.whole = whole;
    this.type = type;
    this.strategy = DataType.of(type);
    this.rewriting = Rewriting.none(whole);
    if (whole.uses(OpKind.Type.PREDICATE)) {
      problem = type.noun() + "s are not checked in histories with predicates";
    } else if (!given.assumptions().equals(Assumption.DEFAULT)) {
      problem = type.noun() + "s are not checked under assumptions (--infer)";
    } else if (!given.certificate().chains().isEmpty()) {
      problem = type.noun() + "s are not checked together with a certificate for other keys";
    } else {
      findWrites();
      keepMixed();
      sortItems();
      if (isWithinBounds()) {
        build();
      }
    }
  }

  private void findWrites() {
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); !aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == type.writeKind()) {
          int item = pairs.indexOf(pair(whole.key(op), whole.value(op)));
          if (item == write.length) {
            write = Arrays.copyOf(write, Math.addExact(item, item >>> 1));
          }
          if (item == known) {
            write[known++] = op;
          } else if (whole.transactionOf(write[item]) != txn) {
            keep(op);
          }
        }
      }
    }
    keepUncertain();
  }

  /**
   * Keeps keys with an item written by an aborted and a lost transaction: a read may show either.
   */
  private void keepUncertain() {
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == type.writeKind()) {
          int item = pairs.find(pair(whole.key(op), whole.value(op)));
          if (item >= 0 && !whole.isCommitted(whole.transactionOf(write[item]))) {
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
          "the %s %s was %s to the %s %s by several transactions"
              .formatted(
                  type.hasElements() ? "element" : "value",
                  whole.values().get(whole.value(repeated)),
                  type.hasElements() ? "added" : "written",
                  type.noun(),
                  whole.keys().text(key));
    }
    kept.set(key);
    repeats = true;
  }

  /** Keeps keys that have this type for some operations and another one for others. */
  private void keepMixed() {
    BitSet others = new BitSet();
    BitSet ofType = new BitSet();
    for (int op = 0; op < whole.operationCount(); op++) {
      (whole.kind(op).type() == type ? ofType : others).set(whole.key(op));
    }
    ofType.and(others);
    if (!ofType.isEmpty()) {
      problem =
          "the key %s is not used only as a %s"
              .formatted(whole.keys().text(ofType.nextSetBit(0)), type.noun());
      kept.or(ofType);
      // No choice of writers gives such a key one type.
      repeats = false;
    }
  }

  private void sortItems() {
    items = Grouping.of(whole.keys().count(), known, item -> whole.key(write[item]));
  }

  private boolean isWithinBounds() {
    long needed = 0;
    long allowed = FREE + (long) PER_ELEMENT * whole.operationCount();
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      boolean aborted = isAborted(txn);
      for (int op = whole.firstOp(txn); !aborted && op < whole.endOp(txn); op++) {
        if (whole.kind(op) == type.readKind() && isKnown(op)) {
          boolean elements = type.hasElements();
          int shown = elements ? whole.sequences().length(whole.value(op)) : 1;
          needed += items.size(whole.key(op));
          allowed += (long) PER_ELEMENT * shown;
        }
      }
    }
    if (needed > Math.min(allowed, Integer.MAX_VALUE / 4)) {
      problem = "reads of %ss would need %,d element lookups".formatted(type.noun(), needed);
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
        if (whole.kind(op).type() != type || kept.get(whole.key(op))) {
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
    if (whole.kind(op) == type.writeKind()) {
      int item = pairs.find(pair(whole.key(op), whole.value(op)));
      if (write[item] == op) {
        builder.op(OpKind.WRITE, base + item, PRESENT);
      }
      return;
    }
    // A read is atomic: what it lacks comes first, so that nothing seems to be read before it.
    read(op, false, builder, base);
    read(op, true, builder, base);
  }

  private void read(int op, boolean present, HistoryBuilder builder, long base) {
    int key = whole.key(op);
    for (int i = items.first(key); i < items.end(key); i++) {
      int item = write[items.item(i)];
      boolean shown = present ? strategy.shows(whole, op, item) : strategy.misses(whole, op, item);
      if (shown) {
        builder.op(OpKind.READ, base + items.item(i), present ? PRESENT : RawScalars.NIL);
      }
    }
  }

  private static long pair(int key, int value) {
    return ((long) key << 32) | (value & 0xffffffffL);
  }
}
