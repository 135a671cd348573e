package dev.assay.spark.judge;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.follow.Regrouped;
import dev.assay.history.History;
import dev.assay.spark.cut.Cuts;
import dev.assay.spark.input.Block;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.util.KnownSizeEstimation;
import scala.Tuple2;

/** Transactions of one block that are in the same window, in the order of the file. */
public final class WindowBlock implements KnownSizeEstimation, Serializable {
  private static final long serialVersionUID = 1;
  private static final String FORMAT = "assay";

  /** Places of the transactions among all, and in the file. */
  final long[] numbers;

  final long[] places;
  private final byte[] bytes;

  private WindowBlock(long[] numbers, long[] places, byte[] bytes) {
    this.numbers = numbers;
    this.places = places;
    this.bytes = bytes;
  }

  @Override
  public long estimatedSize() {
    return 100 + Long.BYTES * ((long) numbers.length + places.length) + bytes.length;
  }

  /** The transactions of a block by the windows they are in, as far as these are asked for. */
  public static Iterator<Tuple2<Integer, Object>> of(Block block, Cuts cuts, boolean[] asked)
      throws IOException {
    TreeMap<Integer, List<Integer>> byWindow = new TreeMap<>();
    for (int txn = 0; txn < block.size(); txn++) {
      int window = cuts.window(block.position(txn));
      if (asked[window]) {
        byWindow.computeIfAbsent(window, w -> new ArrayList<>()).add(txn);
      }
    }
    List<Tuple2<Integer, Object>> pairs = new ArrayList<>();
    for (int window : byWindow.keySet()) {
      pairs.add(new Tuple2<>(window, of(block, byWindow.get(window))));
    }
    return pairs.iterator();
  }

  private static WindowBlock of(Block block, List<Integer> transactions) throws IOException {
    History history = block.history;
    Regrouped regrouped = new Regrouped();
    long[] numbers = new long[transactions.size()];
    long[] places = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      int txn = transactions.get(i);
      numbers[i] = block.number(txn);
      places[i] = history.position(txn);
      regrouped.add(history, txn, history.file(txn), places[i]);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format().write(regrouped.take(), out);
    return new WindowBlock(numbers, places, out.toByteArray());
  }

  private static HistoryFormat format() {
    return Formats.byId(FORMAT).orElseThrow();
  }

  History history() {
    try {
      return Formats.read(Input.of("a window", bytes), format());
    } catch (ParseException e) {
      throw new IllegalStateException("what a task wrote cannot be read", e);
    }
  }

  /** All of them in the order of the file. */
  static List<WindowBlock> sorted(List<WindowBlock> blocks) {
    WindowBlock[] all = blocks.toArray(WindowBlock[]::new);
    Arrays.sort(all, (a, b) -> Long.compare(a.numbers[0], b.numbers[0]));
    return List.of(all);
  }
}
