package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.Sequences;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.function.Function;

/** A write appends an element. */
final class Lists implements DataType {
  static final DataType TYPE = new Lists();

  private Lists() {}

  @Override
  public Function<ReadAnomalies, TypeReads> reads(History history, ReadsFrom reads) {
    return found -> new ListReads(history, reads, found);
  }

  @Override
  public TypeStore store(History history) {
    return new Store(history);
  }

  /** A list is a text: its elements, each with a comma after it. */
  @Override
  public SqlTable table() {
    return new SqlTable(
        "lists",
        "k %1$s PRIMARY KEY, v VARCHAR(%3$d) NOT NULL",
        "''",
        "UPDATE lists SET v = %2$s WHERE k = %1$s");
  }

  private static final class Store implements TypeStore {
    private final History history;
    private final int[][] lists;
    private final int[] lengths;

    Store(History history) {
      this.history = history;
      this.lists = new int[history.keys().count()][];
      this.lengths = new int[lists.length];
    }

    @Override
    public Runnable write(int op) {
      int key = history.key(op);
      if (lists[key] == null) {
        lists[key] = new int[4];
      } else if (lengths[key] == lists[key].length) {
        lists[key] = Arrays.copyOf(lists[key], lengths[key] * 2);
      }
      lists[key][lengths[key]++] = history.value(op);
      return () -> lengths[key]--;
    }

    @Override
    public boolean agrees(int read) {
      int key = history.key(read);
      int sequence = history.value(read);
      Sequences sequences = history.sequences();
      boolean same = sequences.length(sequence) == lengths[key];
      for (int i = 0; same && i < lengths[key]; i++) {
        same = sequences.element(sequence, i) == lists[key][i];
      }
      return same;
    }
  }
}
