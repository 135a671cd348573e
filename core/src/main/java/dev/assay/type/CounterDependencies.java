package dev.assay.type;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What reads of counters imply about transactions, from Adya's read committed up. Where no
 * increment that may have applied goes down, the versions of a counter never fall, so a read from
 * elsewhere of less is of an earlier version than one of more. Then some transaction overwrote the
 * earlier version: the reader of less precedes the reader of more by rw;ww*;wr (or by ww*;wr, if
 * the reader itself overwrote it). Likewise where no increment goes up. Where there are increments
 * of both signs, nothing follows.
 */
public final class CounterDependencies implements TypeDependencies {
  private static final int NONE = -1;

  /** Maximum number of pairs of readers per read; beyond it the key is left out. */
  private static final int MAX_EDGES_PER_READ = 64;

  private final History history;
  private final ReadsFrom reads;
  private final EdgeList between = new EdgeList();
  private int incomplete;
  private int total;
  private int partial;
  private int none;

  private record Seen(BigInteger value, int read) {}

  public CounterDependencies(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    Grouping byKey = OpsByKey.of(history, OpKind.Type.COUNTER);
    for (int key = 0; key < byKey.groups(); key++) {
      if (byKey.first(key) < byKey.end(key)) {
        goOver(byKey, key);
      }
    }
  }

  /** Empty: which increments a read saw is not known. */
  @Override
  public EdgeList wr() {
    return new EdgeList();
  }

  /**
   * Paths between readers: at most one rw, which comes first, and a wr at the end. Labelled with
   * the key and marked with the read of the first. Only from each value read to the next.
   */
  @Override
  public EdgeList rw() {
    return between;
  }

  /** The number of counters left out because they have too many pairs. */
  public int incompleteKeys() {
    return incomplete;
  }

  /**
   * For how many counters the order of versions is known: all of it where at most one transaction
   * may have moved the counter, part where reads of different values are ordered.
   */
  @Override
  public KnownOrders known() {
    return new KnownOrders(total, partial, none);
  }

  @Override
  public int seen(int read, int by) {
    return NONE;
  }

  /** A read of another value: between the two lies an increment. */
  @Override
  public int missed(int read, int by) {
    for (int op = history.firstOp(by); op < history.endOp(by); op++) {
      boolean known =
          history.kind(op) == OpKind.COUNTER_READ
              && history.value(op) != Values.UNKNOWN
              && history.value(read) != Values.UNKNOWN;
      if (known
          && history.key(op) == history.key(read)
          && history.value(op) != history.value(read)) {
        return op;
      }
    }
    return NONE;
  }

  private void goOver(Grouping byKey, int key) {
    List<Seen> seen = new ArrayList<>();
    boolean up = false;
    boolean down = false;
    int movers = 0;
    int lastMover = NONE;
    int txn = NONE;
    boolean moved = false;
    for (int i = byKey.first(key); i < byKey.end(key); i++) {
      int op = byKey.item(i);
      if (txn == NONE || op >= history.endOp(txn)) {
        txn = history.transactionOf(op);
        moved = false;
      }
      if (history.kind(op) == OpKind.INCREMENT) {
        moved = true;
        if (history.outcome(txn) != Outcome.ABORTED) {
          int sign = Counters.amount(history, op).signum();
          up |= sign > 0;
          down |= sign < 0;
          movers += txn == lastMover ? 0 : 1;
          lastMover = txn;
        }
      } else if (!moved && reads.counts(txn) && history.value(op) != Values.UNKNOWN) {
        seen.add(new Seen(Counters.amount(history, op), op));
      }
    }
    boolean ordered = up != down && addBetween(key, seen, down);
    if (movers <= 1) {
      total++;
    } else if (ordered) {
      partial++;
    } else {
      none++;
    }
  }

  /** Whether different values were read. */
  private boolean addBetween(int key, List<Seen> seen, boolean down) {
    Comparator<Seen> byValue = Comparator.comparing(Seen::value);
    seen.sort(down ? byValue.reversed() : byValue);
    EdgeList edges = new EdgeList();
    int before = 0;
    int from = 0;
    while (from < seen.size()) {
      int to = from;
      while (to < seen.size() && seen.get(to).value.equals(seen.get(from).value)) {
        to++;
      }
      long pairs = (long) (from - before) * (to - from);
      if (edges.size() + pairs > (long) MAX_EDGES_PER_READ * seen.size()) {
        incomplete++;
        return false;
      }
      for (Seen less : seen.subList(before, from)) {
        for (Seen more : seen.subList(from, to)) {
          int first = history.transactionOf(less.read);
          int second = history.transactionOf(more.read);
          if (first != second) {
            edges.add(first, second, key, less.read);
          }
        }
      }
      before = from;
      from = to;
    }
    between.addAll(edges);
    return before > 0;
  }
}
