package dev.assay.window;

import dev.assay.check.replay.LastVersions;
import dev.assay.graph.IntList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import dev.assay.window.EffectOrder.Because;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The clean cuts of a window. A cut is a number of transactions that are taken off its beginning.
 * It is clean if
 *
 * <ul>
 *   <li>nothing before it follows something after it, by a read or in real time;
 *   <li>it does not separate transactions of unknown outcome from the reads that show that they
 *       {@linkplain UnknownOutcomes count};
 *   <li>of each register, all reads after it that see a version from before it see the same one, by
 *       a final write of a transaction that counts;
 *   <li>all reads of a list or set after it see every element that was written before it, those of
 *       a list first.
 * </ul>
 *
 * <p>If a level holds for what is before a clean cut, in an order in which the versions seen after
 * it are the last ones, and for what is after it, beginning with these versions, then it holds for
 * both: one order followed by the other is an order for the whole. Nothing after the cut can force
 * an edge into what is before it, and no path between two transactions on one side leaves it.
 */
final class Cuts implements LastVersions {
  /** Maximum number of writes after one that are compared with it. */
  private static final int MOST_LATER = 64;

  /** The rank of a version that is seen after a cut. */
  private static final int SEEN_AFTER = 2;

  private final Window window;
  private final History history;
  private final ReadsFrom reads;
  private final int size;

  /** The number of pairs that keep transactions together across each cut, as differences. */
  private final int[] together;

  /** For each final write of a register, the last transaction that saw it, or −1. */
  private final int[] lastRead;

  /** For each final write of a register, when the last transaction that saw it began. */
  private final long[] lastStart;

  /** For each register, the last transaction that saw the version carried over, or −1. */
  private final int[] lastInitialRead;

  /** For each write of a register, the first transaction that read and then replaced it. */
  private final int[] replacedBy;

  private final ElementOrders orders;

  /** For each transaction its place in an order in which they may have taken effect. */
  private final int[] likely;

  /** The same for each operation, by which the last versions are guessed. */
  private int[] places;

  /**
   * The cuts of a window.
   *
   * @param onlyWrites whether only the order of writes matters to the levels that are open
   */
  Cuts(Window window, boolean onlyWrites) {
    this.window = window;
    this.history = window.history;
    this.reads = window.reads;
    this.size = history.transactionCount();
    this.together = new int[size + 2];
    this.lastRead = new int[history.operationCount()];
    this.lastStart = new long[history.operationCount()];
    this.lastInitialRead = new int[history.keys().count()];
    this.replacedBy = new int[history.operationCount()];
    Arrays.fill(lastRead, -1);
    Arrays.fill(lastStart, History.ABSENT);
    Arrays.fill(lastInitialRead, -1);
    Arrays.fill(replacedBy, Integer.MAX_VALUE);
    this.orders = new ElementOrders(window, this::keep);
    for (int txn = 0; txn < size; txn++) {
      if (reads.counts(txn)) {
        readRegisters(txn);
      }
    }
    separateVersions();
    orders.keepTogether();
    IntList[] writes = history.hasTimes() ? finalWrites() : new IntList[0];
    likely = likelyOrder(writes, onlyWrites);
    places = new int[history.operationCount()];
    Arrays.setAll(places, op -> likely[history.transactionOf(op)]);
    for (IntList ofKey : writes) {
      keepEarlierReads(ofKey);
    }
    keepRealTime();
    keepPending();
    UnknownOutcomes.keepTogether(window, this::keep);
  }

  @Override
  public int[] elements(int key, int cut) {
    return orders.order(key, cut, places);
  }

  /** For each operation the place by which the last versions are guessed. */
  int[] places() {
    return places;
  }

  /** Takes the last versions from other places. */
  void places(int[] newPlaces) {
    places = newPlaces;
  }

  /** The same places, but for those of some operations, which are in this order before others. */
  int[] placesBy(int[] operations) {
    int[] changed = places.clone();
    for (int place = 0; place < operations.length; place++) {
      changed[operations[place]] = place - operations.length;
    }
    return changed;
  }

  /** The keys of whose last versions before a cut other places make others. */
  Set<KeyState> differing(int[] others, int cut) {
    int[] before = places;
    int[] last = lastVersions(cut);
    int[][] elements = allElements(cut);
    places = others;
    int[] otherLast = lastVersions(cut);
    int[][] otherElements = allElements(cut);
    places = before;
    Set<KeyState> differing = new HashSet<>();
    for (int key = 0; key < last.length; key++) {
      boolean list = window.keys[key].type == OpKind.Type.LIST;
      if (last[key] != otherLast[key]
          || list && !Arrays.equals(elements[key], otherElements[key])) {
        differing.add(window.keys[key]);
      }
    }
    return differing;
  }

  private int[][] allElements(int cut) {
    int[][] all = new int[history.keys().count()][];
    Arrays.setAll(all, key -> elements(key, cut));
    return all;
  }

  /** Whether a version of a register is seen after a cut. */
  boolean isCarriedOn(int write, int cut) {
    return rank(write, cut) == SEEN_AFTER;
  }

  /** The number of elements of a list before a cut whose order reads show, also later ones. */
  int shownElements(int key, int cut) {
    return orders.shown(key, cut);
  }

  /** For each list, the length of the longest read of its trace before a cut. */
  int[] longestReads(int cut) {
    return orders.longestReads(cut);
  }

  private int[] likelyOrder(IntList[] writes, boolean onlyWrites) {
    EffectOrder order = new EffectOrder(history, onlyWrites);
    for (int txn = 0; txn < size; txn++) {
      for (int op = history.firstOp(txn); reads.counts(txn) && op < history.endOp(txn); op++) {
        int source = history.kind(op) == OpKind.READ ? reads.source(op) : -1;
        if (source >= 0) {
          order.before(history.transactionOf(source), txn, Because.READ);
          if (replacedBy[source] != Integer.MAX_VALUE) {
            order.before(txn, replacedBy[source], Because.NOT_READ);
          }
        }
      }
    }
    orders.addTo(order);
    for (IntList ofKey : writes) {
      addSeenLater(ofKey, order);
    }
    return order.places();
  }

  /** The final writes of each register. */
  private IntList[] finalWrites() {
    IntList[] writes = new IntList[history.keys().count()];
    Arrays.setAll(writes, key -> new IntList(4));
    for (int txn = 0; txn < size; txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isFinalWrite(txn, op)) {
          writes[history.key(op)].add(op);
        }
      }
    }
    return writes;
  }

  /** A version that was seen by one who began after another write ended replaced that one. */
  private void addSeenLater(IntList writes, EffectOrder order) {
    forEachOvertaken(
        writes,
        (seen, other) -> {
          if (isSeenAfter(seen, other)) {
            order.before(other, history.transactionOf(seen), Because.REAL_TIME);
          }
        });
  }

  /**
   * One who saw a version that had been replaced by the time it ended, because it saw it before
   * that, stays with the one who replaced it: the version was not the last one after that.
   */
  private void keepEarlierReads(IntList writes) {
    forEachOvertaken(
        writes,
        (seen, other) -> {
          if (likely[other] > likely[history.transactionOf(seen)] && !isSeenAfter(seen, other)) {
            keep(other, lastRead[seen]);
          }
        });
  }

  /** Takes a write that was seen, and a transaction that wrote the same register. */
  private interface Overtaken {
    void by(int write, int other);
  }

  /** For each write those who wrote between it and the last transaction that saw it. */
  private void forEachOvertaken(IntList writes, Overtaken action) {
    for (int i = 0; i < writes.size(); i++) {
      int most = Math.min(writes.size(), i + MOST_LATER);
      for (int j = i + 1; j < most; j++) {
        int other = history.transactionOf(writes.get(j));
        if (other >= lastRead[writes.get(i)]) {
          break;
        }
        action.by(writes.get(i), other);
      }
    }
  }

  private boolean isSeenAfter(int write, int other) {
    return history.knownEnd(other) != History.ABSENT && history.knownEnd(other) < lastStart[write];
  }

  /** The clean cuts up to a limit, in order. */
  int[] upTo(int limit) {
    IntList cuts = new IntList();
    int crossing = together[0];
    for (int cut = 1; cut <= Math.min(limit, size); cut++) {
      crossing += together[cut];
      if (crossing == 0) {
        cuts.add(cut);
      }
    }
    int[] result = new int[cuts.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = cuts.get(i);
    }
    return result;
  }

  /** No cut may separate two transactions; −1 is everything before the window. */
  private void keep(int one, int other) {
    int from = Math.min(one, other);
    int to = Math.max(one, other);
    together[Math.max(from, -1) + 1]++;
    together[to + 1]--;
  }

  // ---- registers

  private void readRegisters(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) != OpKind.READ || history.value(op) == Values.UNKNOWN) {
        continue;
      }
      int source = reads.source(op);
      if (source == ReadsFrom.INITIAL) {
        int key = history.key(op);
        lastInitialRead[key] = Math.max(lastInitialRead[key], txn);
      } else if (source == ReadsFrom.AMBIGUOUS) {
        for (int candidate : reads.candidates(op)) {
          keep(candidate < 0 ? -1 : history.transactionOf(candidate), txn);
        }
      } else if (source >= 0) {
        readRegister(txn, op, source);
      }
    }
  }

  private void readRegister(int txn, int op, int source) {
    int writer = history.transactionOf(source);
    if (writer == txn) {
      return;
    }
    if (writer > txn || !reads.counts(writer) || reads.isOverwritten(source)) {
      keep(writer, txn);
    } else {
      lastRead[source] = Math.max(lastRead[source], txn);
      lastStart[source] = Math.max(lastStart[source], history.start(txn));
      if (history.lastWrite(txn, history.key(op)) >= 0) {
        replacedBy[source] = Math.min(replacedBy[source], txn);
      }
    }
  }

  /** Reads after a cut see one version of each register from before it. */
  private void separateVersions() {
    int[] seenUntil = lastInitialRead.clone();
    for (int txn = 0; txn < size; txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (!isFinalWrite(txn, op)) {
          continue;
        }
        int key = history.key(op);
        // What was carried over comes first, so it cannot be the last version after this one.
        if (lastInitialRead[key] > txn) {
          keep(txn, lastInitialRead[key]);
        }
        // One that was read and replaced cannot be the last one after that.
        if (lastRead[op] > replacedBy[op]) {
          keep(replacedBy[op], lastRead[op]);
        }
        if (lastRead[op] >= 0) {
          if (Math.min(seenUntil[key], lastRead[op]) > txn) {
            keep(txn, Math.min(seenUntil[key], lastRead[op]));
          }
          seenUntil[key] = Math.max(seenUntil[key], lastRead[op]);
        }
      }
    }
  }

  /** Whether an operation makes a version of a register that others may see. */
  boolean isFinalWrite(int txn, int op) {
    return history.kind(op) == OpKind.WRITE && reads.counts(txn) && !reads.isOverwritten(op);
  }

  /** The version that is seen after the cut, or else the last one that was not replaced. */
  @Override
  public int[] lastVersions(int cut) {
    int[] last = new int[history.keys().count()];
    Arrays.fill(last, -1);
    for (int txn = 0; txn < cut; txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (isFinalWrite(txn, op)) {
          int key = history.key(op);
          if (last[key] < 0 || isLater(op, last[key], cut)) {
            last[key] = op;
          }
        }
      }
    }
    return last;
  }

  private boolean isLater(int write, int other, int cut) {
    int difference = rank(write, cut) - rank(other, cut);
    return difference > 0 || difference == 0 && places[write] > places[other];
  }

  private int rank(int write, int cut) {
    return lastRead[write] >= cut ? SEEN_AFTER : replacedBy[write] >= cut ? 1 : 0;
  }

  // ---- real time, and what is not there yet

  private void keepRealTime() {
    if (!history.hasTimes()) {
      return;
    }
    // A transaction that ended before another one began comes first.
    long[] laterEnds = new long[size + 1];
    laterEnds[size] = Long.MAX_VALUE;
    for (int txn = size - 1; txn >= 0; txn--) {
      long end = history.knownEnd(txn);
      laterEnds[txn] =
          end == History.ABSENT ? laterEnds[txn + 1] : Math.min(end, laterEnds[txn + 1]);
    }
    long lastStart = Long.MIN_VALUE;
    for (int cut = 1; cut <= size; cut++) {
      lastStart = Math.max(lastStart, history.start(cut - 1));
      if (laterEnds[cut] < lastStart) {
        together[cut]++;
        together[cut + 1]--;
      }
    }
  }

  /** What waits for a transaction that was not accepted yet is not judged before that. */
  private void keepPending() {
    for (int txn = window.pending.nextSetBit(0);
        txn >= 0 && !window.last;
        txn = window.pending.nextSetBit(txn + 1)) {
      keep(txn, size);
    }
  }
}
