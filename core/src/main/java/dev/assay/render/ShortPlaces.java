package dev.assay.render;

import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Origin;
import java.util.List;
import java.util.TreeSet;

/** Where things are in a history that has been named already: {@code line 5}. */
final class ShortPlaces {
  private final CheckResult result;
  private final History history;

  ShortPlaces(CheckResult result) {
    this.result = result;
    this.history = result.history();
  }

  /** Where those of some operations are that belong to a transaction; empty if not known. */
  String of(int txn, List<Integer> operations) {
    if (!history.hasPlace(txn) || history.origin().unit() == Origin.Unit.NONE) {
      return "";
    }
    TreeSet<Long> positions = new TreeSet<>();
    long[] places = result.places().of(txn);
    for (int op : operations) {
      if (places != null && history.transactionOf(op) == txn) {
        positions.add(places[history.ordinal(txn, op)]);
      }
    }
    if (positions.isEmpty()) {
      positions.add(history.position(txn));
    }
    List<String> files = history.origin().files();
    String file = files.isEmpty() ? "" : Wording.oneLine(files.get(history.file(txn))) + " ";
    String first = Long.toString(positions.first());
    if (history.origin().unit() == Origin.Unit.OFFSET) {
      return file + "byte " + first;
    }
    return positions.size() == 1
        ? file + "line " + first
        : file + "lines " + first + "-" + positions.last();
  }
}
