package dev.assay.window;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * The transactions of a window whose outcome is unknown, but that count because they were read. A
 * cut must not separate them from those who read them: before it, they would not count.
 */
final class UnknownOutcomes {
  private final History history;
  private final ReadsFrom reads;
  private final BitSet seen = new BitSet();

  private UnknownOutcomes(Window window) {
    this.history = window.history;
    this.reads = window.reads;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE && reads.counts(txn)) {
        seen.set(txn);
      }
    }
  }

  /** Reports pairs of transactions that must not be separated. */
  static void keepTogether(Window window, ElementOrders.Together together) {
    UnknownOutcomes outcomes = new UnknownOutcomes(window);
    if (!outcomes.seen.isEmpty()) {
      outcomes.keep(together);
    }
  }

  /** One committed reader suffices; without one, readers may need each other. */
  private void keep(ElementOrders.Together together) {
    int[] reader = new int[history.transactionCount()];
    Arrays.fill(reader, -1);
    for (int txn = 0; txn < reader.length; txn++) {
      int by = txn;
      if (reads.counts(by) && !seen.get(by)) {
        forEachSource(by, source -> reader[source] = reader[source] < 0 ? by : reader[source]);
      }
    }
    seen.stream().filter(txn -> reader[txn] >= 0).forEach(txn -> together.keep(txn, reader[txn]));
    seen.stream()
        .forEach(
            by ->
                forEachSource(
                    by,
                    source -> {
                      if (reader[source] < 0) {
                        together.keep(source, by);
                      }
                    }));
  }

  /** The transactions of unknown outcome that one read; values with several writers aside. */
  private void forEachSource(int txn, IntConsumer action) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int value = history.value(op);
      if (value == Values.UNKNOWN) {
        continue;
      }
      if (history.kind(op) == OpKind.READ) {
        visit(reads.source(op), txn, action);
      } else if (history.kind(op).readsSequence()) {
        for (int i = 0; i < history.sequences().length(value); i++) {
          visit(reads.elements().writer(value, i), txn, action);
        }
      }
    }
  }

  private void visit(int write, int reader, IntConsumer action) {
    int source = write < 0 ? reader : history.transactionOf(write);
    if (source != reader && seen.get(source)) {
      action.accept(source);
    }
  }
}
