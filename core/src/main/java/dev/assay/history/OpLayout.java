package dev.assay.history;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Moves operations from the buffers of a reader to their final columns: grouped by transaction,
 * keys numbered, values coded. Buffers are released one by one, so that peak memory stays near the
 * size of one copy; if no shared table is needed they are moved in parallel.
 */
final class OpLayout {
  /** Number of threads that mark keys. */
  private static final int MARKERS = Math.min(Runtime.getRuntime().availableProcessors(), 8);

  /** Up to this many operations are copied one by one. */
  private static final int FEW = 8;

  private final List<OpBuffer> buffers;
  private final int[] runTxn;
  private final int[] runLength;
  private final int runs;
  private final int transactions;

  OpLayout(List<OpBuffer> buffers, int[] runTxn, int[] runLength, int runs, int transactions) {
    this.buffers = buffers;
    this.runTxn = runTxn;
    this.runLength = runLength;
    this.runs = runs;
    this.transactions = transactions;
  }

  Keys layOut(Columns columns, RawScalars scalars, Values values) {
    int[] firstOp = countOps();
    int operations = firstOp[transactions];
    Keys.Collector collector = collectKeys(operations);
    Keys keys = collector.finish(scalars);
    boolean shareable =
        collector.allRanked() && buffers.stream().allMatch(OpBuffer::hasSmallValues);
    Mover mover = new Mover(keys, values, operations);
    int[] destination = interleaved() ? runDestinations(firstOp) : null;
    int[] firstRun = new int[buffers.size() + 1];
    int[] skip = new int[buffers.size() + 1];
    int[] base = new int[buffers.size() + 1];
    locateBuffers(firstRun, skip, base);
    IntStream indexes = Cores.over(operations, buffers.size());
    (shareable ? indexes : indexes.sequential())
        .forEach(
            i -> {
              OpBuffer buffer = buffers.set(i, null);
              if (destination == null) {
                mover.move(buffer, 0, buffer.size(), base[i]);
              } else {
                moveRuns(buffer, firstRun[i], skip[i], destination, mover);
              }
            });
    columns.firstOp = firstOp;
    columns.kind = mover.kind;
    columns.key = mover.key;
    columns.value = mover.value;
    return keys;
  }

  private int[] countOps() {
    int[] firstOp = new int[transactions + 1];
    for (int run = 0; run < runs; run++) {
      firstOp[runTxn[run] + 1] += runLength[run];
    }
    for (int txn = 0; txn < transactions; txn++) {
      firstOp[txn + 1] = Math.addExact(firstOp[txn + 1], firstOp[txn]);
    }
    return firstOp;
  }

  private Keys.Collector collectKeys(int operations) {
    Keys.Collector collector =
        Cores.over(operations, buffers.size())
            .mapToObj(i -> observe(buffers.get(i)))
            .reduce(new Keys.Collector(), Keys.Collector::merged);
    if (collector.prepareRanks(operations)) {
      Cores.over(operations, MARKERS).forEach(part -> collector.mark(buffers, part, MARKERS));
    }
    return collector;
  }

  private static Keys.Collector observe(OpBuffer buffer) {
    Keys.Collector collector = new Keys.Collector();
    collector.observe(buffer);
    return collector;
  }

  /** Whether some transaction's operations are not all together, in the order of transactions. */
  private boolean interleaved() {
    int last = -1;
    for (int run = 0; run < runs; run++) {
      if (runTxn[run] < last || (runTxn[run] == last && runLength[run] > 0)) {
        return true;
      }
      last = runTxn[run];
    }
    return false;
  }

  private int[] runDestinations(int[] firstOp) {
    int[] next = firstOp.clone();
    int[] destination = new int[runs];
    for (int run = 0; run < runs; run++) {
      destination[run] = next[runTxn[run]];
      next[runTxn[run]] += runLength[run];
    }
    return destination;
  }

  /** For each buffer: the run its first operation is in, how far in, and how many came before. */
  private void locateBuffers(int[] firstRun, int[] skip, int[] base) {
    int run = 0;
    int used = 0;
    for (int b = 0; b < buffers.size(); b++) {
      firstRun[b] = run;
      skip[b] = used;
      int left = buffers.get(b).size();
      base[b + 1] = base[b] + left;
      while (left > 0) {
        if (run == runs) {
          throw new IllegalStateException("an adopted buffer holds operations of no run");
        }
        int step = Math.min(left, runLength[run] - used);
        left -= step;
        used += step;
        if (used == runLength[run]) {
          run++;
          used = 0;
        }
      }
    }
  }

  private void moveRuns(OpBuffer buffer, int firstRun, int skip, int[] destination, Mover mover) {
    int run = firstRun;
    int used = skip;
    int from = 0;
    while (from < buffer.size()) {
      int step = Math.min(buffer.size() - from, runLength[run] - used);
      mover.move(buffer, from, from + step, destination[run] + used);
      from += step;
      run++;
      used = 0;
    }
  }

  /** The final columns, and how an operation gets there. */
  private static final class Mover {
    private final Keys keys;
    private final Values values;
    private final byte[] kind;
    private final int[] key;
    private final int[] value;

    Mover(Keys keys, Values values, int operations) {
      this.keys = keys;
      this.values = values;
      kind = new byte[operations];
      key = new int[operations];
      value = new int[operations];
    }

    void move(OpBuffer buffer, int from, int to, int destination) {
      boolean plain =
          buffer.hasSmallValues()
              && !buffer.hasPredicates()
              && buffer.narrowKeys() != null
              && buffer.narrowValues() != null;
      if (plain) {
        movePlain(buffer, from, to, destination);
        return;
      }
      for (int i = from; i < to; i++) {
        int op = destination + i - from;
        OpKind opKind = buffer.kind(i);
        long raw = buffer.value(i);
        kind[op] = (byte) opKind.ordinal();
        key[op] = opKind.isPredicate() ? -1 : keys.number(buffer.key(i));
        boolean isId = (opKind.readsSequence() && raw >= 0) || opKind.isPredicate();
        value[op] = isId ? (int) raw : values.code(raw);
      }
    }

    /** Small integers are their own codes, as ids are; only keys need work. */
    private void movePlain(OpBuffer buffer, int from, int to, int destination) {
      if (to - from > FEW) {
        System.arraycopy(buffer.kinds(), from, kind, destination, to - from);
        System.arraycopy(buffer.narrowValues(), from, value, destination, to - from);
      } else {
        for (int i = from; i < to; i++) {
          kind[destination + i - from] = buffer.kinds()[i];
          value[destination + i - from] = buffer.narrowValues()[i];
        }
      }
      keys.number(buffer.narrowKeys(), from, to, key, destination);
    }
  }
}
