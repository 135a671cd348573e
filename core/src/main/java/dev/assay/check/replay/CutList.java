package dev.assay.check.replay;

import dev.assay.graph.IntList;

/** The cuts of a {@link SerialOrder}: all transactions before them have run, and no others. */
final class CutList {
  private final IntList cuts = new IntList();

  /** For each cut the number of transactions before it that count, which is its place. */
  private final IntList places = new IntList();

  void add(int cut, int place) {
    cuts.add(cut);
    places.add(place);
  }

  /** The last cut; 0 for none. */
  int last() {
    return cuts.isEmpty() ? 0 : cuts.last();
  }

  /** The place of the last cut. */
  int place() {
    return places.isEmpty() ? 0 : places.last();
  }

  /** Leaves those up to a place in the order. */
  void rewind(int place) {
    while (place() > place) {
      removeLast();
    }
  }

  /** Leaves those up to a maximum. */
  void limit(int most) {
    while (!cuts.isEmpty() && last() > most) {
      removeLast();
    }
  }

  private void removeLast() {
    cuts.removeLast();
    places.removeLast();
  }

  /** The place of the last cut before a transaction. */
  int placeBefore(int txn) {
    int i = cuts.size() - 1;
    while (i >= 0 && cuts.get(i) > txn) {
      i--;
    }
    return i < 0 ? 0 : places.get(i);
  }
}
