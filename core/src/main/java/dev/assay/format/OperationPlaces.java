package dev.assay.format;

import dev.assay.history.History;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The places of the operations of a few transactions in the file their history was read from. A
 * history remembers only where transactions begin; the rest is found by reading the file again,
 * once there is something to show.
 */
public final class OperationPlaces {
  private final History history;
  private final Map<Integer, Noted> noted = new LinkedHashMap<>();

  /** The transactions asked for, by file and position. */
  private final List<Integer> wanted;

  private int incomplete;

  /** The places of the operations of one transaction, as far as they are known. */
  private static final class Noted {
    private final long[] places;
    private int size;

    Noted(int operations) {
      places = new long[operations];
    }
  }

  OperationPlaces(History history, Collection<Integer> transactions) {
    this.history = history;
    for (int txn : transactions) {
      if (history.firstOp(txn) < history.endOp(txn) && history.hasPlace(txn)) {
        noted.put(txn, new Noted(history.ordinal(txn, history.endOp(txn))));
      }
    }
    this.wanted = new ArrayList<>(noted.keySet());
    wanted.sort(this::compareInFile);
    this.incomplete = wanted.size();
  }

  private int compareInFile(int one, int other) {
    int byFile = Integer.compare(history.file(one), history.file(other));
    return byFile != 0 ? byFile : Long.compare(history.position(one), history.position(other));
  }

  /** Nothing more than where transactions begin. */
  public static OperationPlaces none(History history) {
    return new OperationPlaces(history, List.of());
  }

  /**
   * The lines or offsets ({@link dev.assay.history.Origin#unit}) of all operations of a
   * transaction, or null where they are not known to have places of their own.
   */
  public long[] of(int txn) {
    Noted own = noted.get(txn);
    return own == null || own.size < own.places.length ? null : own.places.clone();
  }

  /** The place of an operation as compilers print it; that of its transaction where need be. */
  public String place(int op) {
    int txn = history.transactionOf(op);
    long[] places = of(txn);
    return places == null
        ? history.place(txn)
        : history.place(txn, places[history.ordinal(txn, op)]);
  }

  // ---- for formats

  public List<Integer> wanted() {
    return wanted;
  }

  public boolean complete() {
    return incomplete == 0;
  }

  /** Whether the places of all operations of a transaction are noted, or none are asked for. */
  public boolean complete(int txn) {
    Noted own = noted.get(txn);
    return own == null || own.size == own.places.length;
  }

  /** Notes the place of the next operation of a transaction. */
  public void note(int txn, long place) {
    Noted own = noted.get(txn);
    if (own != null && own.size < own.places.length) {
      own.places[own.size++] = place;
      incomplete -= own.size == own.places.length ? 1 : 0;
    }
  }
}
