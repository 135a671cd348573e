package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Loaders;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All ways to say who wrote what register reads saw, each as a history that says so itself: every
 * write has a value of its own, and every read that of its writer. Operations keep their numbers.
 */
public final class WriterChoices {
  private final History history;

  /** For each operation the writes that it may have seen; null for all but register reads. */
  private final int[][] candidates;

  private final List<Integer> open = new ArrayList<>();
  private final int[] at;

  public WriterChoices(History history) {
    this.history = history;
    this.candidates = new int[history.operationCount()][];
    Map<Long, List<Integer>> writes = writes();
    Loaders loaders = new Loaders(history, false);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.READ && history.value(op) != Values.UNKNOWN) {
          candidates[op] = candidates(txn, op, writes, loaders);
          if (candidates[op].length > 1) {
            open.add(op);
          }
        }
      }
    }
    this.at = new int[open.size()];
  }

  private Map<Long, List<Integer>> writes() {
    Map<Long, List<Integer>> writes = new HashMap<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE) {
        writes.computeIfAbsent(version(op), version -> new ArrayList<>()).add(op);
      }
    }
    return writes;
  }

  private long version(int op) {
    return ((long) history.key(op) << 32) | (history.value(op) & 0xffffffffL);
  }

  private int[] candidates(int txn, int read, Map<Long, List<Integer>> writes, Loaders loaders) {
    List<Integer> all = new ArrayList<>(writes.getOrDefault(version(read), List.of()));
    if (history.outcome(txn) == Outcome.ABORTED) {
      // Nobody asks what it saw.
      return new int[] {all.isEmpty() ? ReadsFrom.THIN_AIR : all.get(0)};
    }
    boolean loaded = all.stream().anyMatch(op -> loaders.isLoader(history.transactionOf(op)));
    if (history.hasInitialValue(read) && !loaded) {
      all.add(ReadsFrom.INITIAL);
    }
    if (all.isEmpty()) {
      all.add(ReadsFrom.THIN_AIR);
    }
    // The first choice is the one that may be shown.
    all.sort(Comparator.comparing(this::isAborted));
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  private boolean isAborted(int write) {
    return write >= 0 && history.outcome(history.transactionOf(write)) == Outcome.ABORTED;
  }

  /** How many there are, or some number above this most. */
  public long count(long most) {
    long count = 1;
    for (int read : open) {
      count *= candidates[read].length;
      if (count > most) {
        break;
      }
    }
    return count;
  }

  /** Goes on to the next; whether there was one. The first is there from the beginning. */
  public boolean advance() {
    for (int i = 0; i < at.length; i++) {
      if (++at[i] < candidates[open.get(i)].length) {
        return true;
      }
      at[i] = 0;
    }
    return false;
  }

  /** The history that says who wrote what. */
  public History told() {
    HistoryBuilder builder = new HistoryBuilder();
    OperationCopy copy = new OperationCopy(history, builder);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      copy.begin(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE) {
          builder.op(OpKind.WRITE, key(op, builder), named(op, builder));
        } else if (candidates[op] != null) {
          builder.op(OpKind.READ, key(op, builder), seen(op, builder));
        } else {
          copy.add(op);
        }
      }
    }
    return builder.build();
  }

  private long seen(int read, HistoryBuilder builder) {
    int place = open.indexOf(read);
    int write = candidates[read][place < 0 ? 0 : at[place]];
    return switch (write) {
      case ReadsFrom.INITIAL -> RawScalars.NIL;
      case ReadsFrom.THIN_AIR -> builder.scalars().of("nobody wrote " + read);
      default -> named(write, builder);
    };
  }

  private long key(int op, HistoryBuilder builder) {
    return builder.scalars().of(history.keys().get(history.key(op)));
  }

  private static long named(int write, HistoryBuilder builder) {
    return builder.scalars().of("written by " + write);
  }
}
