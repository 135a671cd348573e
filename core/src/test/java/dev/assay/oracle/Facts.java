package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.Resolution.Source;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is observed about the transactions that count, renumbered from 0: session order, who read
 * from whom, real time, and what list reads tell about the order of versions.
 */
final class Facts {
  /** T⊥ as the writer of a version. */
  static final int INITIAL = -1;

  private static final int FIRST_ITEM = 1_000_000;
  private static final int NO_KEY = -1;

  /**
   * A read by one transaction, at a place in it, of a version that another one made at a place, or
   * T⊥.
   */
  record WrittenRead(int reader, int place, int key, int writer, int writePlace) {}

  final int size;
  final Relation sessionOrder;
  final Relation readFrom;
  final Relation realTime;

  /**
   * The known part of the version orders of lists: a list read shows a prefix of the order, so what
   * it shows is in that order and every append it does not show comes later.
   */
  final Relation knownOrder;

  /** CO = (SO ∪ WR)⁺. */
  final Relation causalOrder;

  /** WR;SO, by which reads are monotonic. */
  final Relation readBeforeInSession;

  /** SO;WR, by which writes are monotonic. */
  final Relation earlierThanRead;

  /**
   * WR;SO;WR, and WR;WR where the transaction in the middle read before it wrote what was read of
   * it, by which writes follow reads.
   */
  final Relation readBeforeRead;

  final Relation sessionAndTime;

  final List<WrittenRead> reads = new ArrayList<>();

  private final List<Txn> transactions = new ArrayList<>();
  private final List<Set<Integer>> keysWritten = new ArrayList<>();

  /** The transactions that count, by their numbers here. */
  private final List<Integer> counting = new ArrayList<>();

  /** Pairs that write a common key. */
  private final Relation conflicts;

  Facts(Resolution resolution) {
    List<Txn> all = resolution.history.txns();
    int[] number = new int[all.size()];
    for (int t = 0; t < all.size(); t++) {
      number[t] = counting.size();
      if (resolution.counts(t)) {
        counting.add(t);
      }
    }
    size = counting.size();
    sessionOrder = new Relation(size);
    readFrom = new Relation(size);
    realTime = new Relation(size);
    knownOrder = new Relation(size);
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        relate(a, all.get(counting.get(a)), b, all.get(counting.get(b)));
      }
    }
    for (int t : counting) {
      transactions.add(all.get(t));
      keysWritten.add(new HashSet<>());
      List<Op> ops = all.get(t).ops();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.get(i) instanceof Op.Add add) {
          keysWritten.get(number[t]).add(item(add.key(), add.value()));
        } else if (ops.get(i).isWrite()) {
          keysWritten.get(number[t]).add(ops.get(i).key());
        } else if (ops.get(i) instanceof Op.SetRead read) {
          addSetRead(resolution, t, i, read, number);
        } else {
          addRead(resolution, t, i, number);
        }
      }
    }
    orderLists(resolution, number);
    orderNumbered();
    causalOrder = sessionOrder.or(readFrom).plus();
    readBeforeInSession = readFrom.then(sessionOrder);
    earlierThanRead = sessionOrder.then(readFrom);
    readBeforeRead = readBeforeInSession.then(readFrom).or(readBeforeWrite());
    sessionAndTime = sessionOrder.or(realTime);
    conflicts = conflicts();
  }

  /** Who was read by a transaction before it wrote what another one read of it. */
  private Relation readBeforeWrite() {
    Relation result = new Relation(size);
    for (WrittenRead earlier : reads) {
      for (WrittenRead later : reads) {
        if (earlier.writer() != INITIAL
            && later.writer() == earlier.reader()
            && earlier.place() < later.writePlace()) {
          result.add(earlier.writer(), later.reader());
        }
      }
    }
    return result;
  }

  /** The elements of a set are items of their own. Their numbers are no keys. */
  private static int item(int key, int element) {
    return FIRST_ITEM + 1_000 * key + element;
  }

  /** Additions of one element to a set commute. */
  private Relation conflicts() {
    Relation result = new Relation(size);
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        for (int key : keysWritten.get(a)) {
          if (writeCommonKey(a, b, key)) {
            result.add(a, b);
          }
        }
      }
    }
    return result;
  }

  /**
   * A read of a set reads each element that anybody added: from who added it what it shows, the
   * initial version of what it lacks. Who shows an element cannot have missed another addition of
   * the same.
   */
  private void addSetRead(Resolution resolution, int t, int i, Op.SetRead read, int[] number) {
    List<Source> sources = resolution.elements(t, i);
    for (Source source : sources) {
      boolean seen = source.isWrite() && !resolution.isAborted(source);
      if (seen && source.txn() != t) {
        reads.add(new WrittenRead(number[t], i, NO_KEY, number[source.txn()], source.op()));
        readFrom.add(number[source.txn()], number[t]);
      }
    }
    for (int other : counting) {
      for (Op op : resolution.history.txns().get(other).ops()) {
        boolean added = op instanceof Op.Add && op.key() == read.key();
        if (added && !read.elements().contains(op.written())) {
          reads.add(new WrittenRead(number[t], i, item(op.key(), op.written()), INITIAL, INITIAL));
        }
      }
    }
  }

  private void relate(int a, Txn from, int b, Txn to) {
    if (a < b && from.session() == to.session()) {
      sessionOrder.add(a, b);
    }
    boolean ended = from.outcome() == Outcome.COMMITTED;
    if (ended && from.end() < to.start()) {
      realTime.add(a, b);
    }
  }

  private void addRead(Resolution resolution, int t, int i, int[] number) {
    Source version = resolution.version(t, i);
    if (version == null || version.equals(Source.THIN_AIR) || resolution.isAborted(version)) {
      return;
    }
    int key = resolution.op(t, i).key();
    if (version.equals(Source.INITIAL)) {
      reads.add(new WrittenRead(number[t], i, key, INITIAL, INITIAL));
    } else if (version.txn() != t) {
      reads.add(new WrittenRead(number[t], i, key, number[version.txn()], version.op()));
      readFrom.add(number[version.txn()], number[t]);
    }
  }

  private void orderLists(Resolution resolution, int[] number) {
    Map<Integer, List<Source>> longest = new HashMap<>();
    for (int t : counting) {
      List<Op> ops = resolution.history.txns().get(t).ops();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.get(i) instanceof Op.ListRead read) {
          List<Source> trace = new ArrayList<>(resolution.elements(t, i));
          trace.removeIf(resolution::isAborted);
          longest.merge(read.key(), trace, (a, b) -> a.size() >= b.size() ? a : b);
        }
      }
    }
    longest.forEach(
        (key, trace) -> {
          List<Source> order = new ArrayList<>(trace);
          order.removeIf(source -> !source.isWrite());
          for (int i = 0; i < order.size(); i++) {
            for (int j = i + 1; j < order.size(); j++) {
              know(number[order.get(i).txn()], number[order.get(j).txn()]);
            }
          }
          for (int t : counting) {
            List<Op> ops = resolution.history.txns().get(t).ops();
            for (int i = 0; i < ops.size(); i++) {
              boolean appends = ops.get(i) instanceof Op.Append && ops.get(i).key() == key;
              if (appends && !order.contains(new Source(t, i))) {
                order.forEach(shown -> know(number[shown.txn()], number[t]));
              }
            }
          }
        });
  }

  /** Of two numbered versions of a register, the one with the lower number is older. */
  private void orderNumbered() {
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        for (int key : keysWritten.get(a)) {
          int earlier = lastVersion(a, key);
          int later = lastVersion(b, key);
          if (earlier != 0 && later != 0 && earlier < later) {
            know(a, b);
          }
        }
      }
    }
  }

  private int lastVersion(int txn, int key) {
    int last = 0;
    for (Op op : transactions.get(txn).ops()) {
      if (op instanceof Op.Write write && write.key() == key) {
        last = write.version();
      }
    }
    return last;
  }

  /** The place in the history of a transaction that counts. */
  int placeOf(int txn) {
    return counting.get(txn);
  }

  /** Takes a given order of two transactions of the history as known, if both count. */
  void take(SmallHistory.Before given) {
    if (counting.contains(given.first()) && counting.contains(given.second())) {
      know(counting.indexOf(given.first()), counting.indexOf(given.second()));
    }
  }

  private void know(int before, int after) {
    if (before != after) {
      knownOrder.add(before, after);
    }
  }

  /** Whether the reader has not written the key before, so that what it writes is an update. */
  boolean isExternal(WrittenRead read) {
    return transactions.get(read.reader()).ops().subList(0, read.place()).stream()
        .noneMatch(op -> op.isWrite() && op.key() == read.key());
  }

  boolean writes(int txn, int key) {
    return keysWritten.get(txn).contains(key);
  }

  /** Whether both write a key; additions of one element to a set commute. */
  boolean writeCommonKey(int a, int b, int key) {
    return key < FIRST_ITEM && writes(a, key) && writes(b, key);
  }

  boolean writeCommonKey(int a, int b) {
    return conflicts.has(a, b);
  }
}
