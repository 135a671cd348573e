package dev.assay.collect.judge;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.OperationCopy;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import dev.assay.history.RunActivity;
import dev.assay.history.Values;
import dev.assay.infer.ConcurrentConflicts;
import dev.assay.render.Totals;
import dev.assay.type.KnownOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Counts what a history has, block by block; blocks need not be kept. For several threads. */
final class RunningTotals {
  /** Keys beyond these are not counted, so that runs of days need no more memory. */
  private static final int MAX_KEYS = 1 << 22;

  /** Transactions among which conflicts are counted, and those after which it is tried first. */
  private static final int MAX_FOR_CONFLICTS = 1 << 20;

  private static final int FIRST_FOR_CONFLICTS = 1 << 14;

  private final long[] outcomes = new long[Outcome.values().length];
  private final RawScalars scalars = new RawScalars();
  private final LongIndex keys = new LongIndex();
  private final LongIndex sessions = new LongIndex();
  private final BitSet used = new BitSet();
  private int[] writes = new int[64];
  private int[] shown = new int[64];
  private long operations;

  /** The blocks so far, as long as conflicts are counted. */
  private List<History> blocks = new ArrayList<>();

  private int inBlocks;
  private int enough = FIRST_FOR_CONFLICTS;
  private ConcurrentConflicts conflicts;

  private final RunActivity activity = new RunActivity();

  /**
   * Adds finished transactions.
   *
   * @param finalSession the name of the session that is not a client's, or null
   */
  synchronized void add(History block, String finalSession) {
    activity.add(block, finalSession);
    for (int session = 0; session < block.sessionCount(); session++) {
      sessions.indexOf(scalars.of(block.sessionName(session)));
    }
    operations += block.operationCount();
    int[] numbers = numbers(block);
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      Outcome outcome = block.outcome(txn);
      outcomes[outcome.ordinal()]++;
      for (int op = block.firstOp(txn); op < block.endOp(txn); op++) {
        count(block, op, outcome, numbers);
      }
    }
    if (blocks != null) {
      blocks.add(block);
      inBlocks += block.transactionCount();
      if (inBlocks >= enough) {
        countConflicts();
      }
    }
  }

  /** The numbers that the keys of a block have here; −1 beyond those that are counted. */
  private int[] numbers(History block) {
    int[] numbers = new int[block.keys().count()];
    for (int key = 0; key < numbers.length; key++) {
      long raw = scalars.of(block.keys().get(key));
      numbers[key] = keys.size() < MAX_KEYS ? keys.indexOf(raw) : keys.find(raw);
    }
    if (keys.size() > writes.length) {
      writes = Arrays.copyOf(writes, 2 * keys.size());
      shown = Arrays.copyOf(shown, 2 * keys.size());
    }
    return numbers;
  }

  private void count(History block, int op, Outcome outcome, int[] numbers) {
    OpKind kind = block.kind(op);
    int key = kind.isPredicate() ? -1 : numbers[block.key(op)];
    if (key < 0) {
      return;
    }
    used.set(key);
    if (kind.isWrite()) {
      writes[key] += outcome == Outcome.ABORTED ? 0 : 1;
    } else if (kind == OpKind.LIST_READ && block.value(op) != Values.UNKNOWN) {
      shown[key] = Math.max(shown[key], block.sequences().length(block.value(op)));
    }
  }

  /** Counts among all blocks so far, which are forgotten once there are enough conflicts. */
  private void countConflicts() {
    HistoryBuilder builder = new HistoryBuilder();
    for (History block : blocks) {
      OperationCopy copy = new OperationCopy(block, builder);
      for (int txn = 0; txn < block.transactionCount(); txn++) {
        copy.begin(txn);
        for (int op = block.firstOp(txn); op < block.endOp(txn); op = block.nextOp(op)) {
          copy.add(op);
        }
      }
    }
    conflicts = ConcurrentConflicts.of(builder.build());
    enough = 4 * inBlocks;
    if (conflicts.isLowerBound() || inBlocks >= MAX_FOR_CONFLICTS) {
      blocks = null;
    }
  }

  synchronized Totals totals() {
    return new Totals(
        outcomes[Outcome.COMMITTED.ordinal()],
        outcomes[Outcome.ABORTED.ordinal()],
        outcomes[Outcome.INDETERMINATE.ordinal()],
        operations,
        keys.size(),
        sessions.size());
  }

  synchronized ConcurrentConflicts conflicts() {
    boolean all = blocks != null;
    if (all) {
      countConflicts();
    }
    long committed = outcomes[Outcome.COMMITTED.ordinal()];
    return new ConcurrentConflicts(committed, conflicts.pairs(), conflicts.isLowerBound() || !all);
  }

  synchronized RunActivity activity() {
    return activity;
  }

  synchronized KnownOrders orders() {
    return KnownOrders.of(used, writes, shown);
  }
}
