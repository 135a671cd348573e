package dev.assay.check.replay;

import dev.assay.predicate.RowValue;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/** The rows of a store by the integers in one column. */
final class RowIndex {
  private final RowValue column;
  private final NavigableMap<Long, Set<Integer>> rows = new TreeMap<>();

  /** Rows where the column is neither null nor an integer of 64 bits, or that lack it. */
  private final Set<Integer> others = new TreeSet<>();

  RowIndex(RowValue column) {
    this.column = column;
  }

  void add(int row, Object key, Object value) {
    Object item = column.of(key, value);
    if (item instanceof Long integer) {
      rows.computeIfAbsent(integer, i -> new TreeSet<>()).add(row);
    } else if (item != null) {
      others.add(row);
    }
  }

  void remove(int row, Object key, Object value) {
    Object item = column.of(key, value);
    if (item instanceof Long integer) {
      Set<Integer> same = rows.get(integer);
      same.remove(row);
      if (same.isEmpty()) {
        rows.remove(integer);
      }
    } else if (item != null) {
      others.remove(row);
    }
  }

  /**
   * All rows that may be in a range.
   *
   * @param inside takes those that are
   * @param odd takes those that an index of integers does not contain
   */
  void forEach(long low, long high, IntConsumer inside, IntConsumer odd) {
    if (low <= high) {
      for (Set<Integer> same : rows.subMap(low, true, high, true).values()) {
        for (int row : same) {
          inside.accept(row);
        }
      }
    }
    for (int row : others) {
      odd.accept(row);
    }
  }
}
