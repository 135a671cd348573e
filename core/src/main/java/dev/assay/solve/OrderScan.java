package dev.assay.solve;

import dev.assay.graph.Grouping;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Finds pairs of writers that a topological order gets wrong: one is between a version of the other
 * and a read of that version, or the two overlap where they must not. Keys none of whose
 * transactions have moved are not examined again.
 */
final class OrderScan implements OrderSolver.Scan {
  /** Keys between two looks at the budget. */
  private static final int KEYS_AT_A_TIME = 256;

  private final Polygraph problem;
  private final IncrementalOrder order;
  private final OrderSolver solver;
  private final BooleanSupplier expired;
  private final boolean[] stale;
  private long[] sorted = new long[16];
  private boolean right;

  OrderScan(
      Polygraph problem, IncrementalOrder order, OrderSolver solver, BooleanSupplier expired) {
    this.problem = problem;
    this.order = order;
    this.solver = solver;
    this.expired = expired;
    this.stale = new boolean[problem.keys()];
    Arrays.fill(stale, true);
  }

  /** Makes variables of the wrong pairs; true if there are none and time was not up. */
  @Override
  public boolean run() {
    for (int i = 0; i < order.moved.size(); i++) {
      int node = order.moved.get(i);
      if (problem.isEvent(node)) {
        touch(problem.owner[node]);
      }
    }
    order.moved.clear();
    for (int c = 0; c < problem.choiceReader.length; c++) {
      stale[problem.keyOf[problem.choices.item(problem.choices.first(c))]] = true;
    }
    right = true;
    int scanned = 0;
    for (int key = 0; key < stale.length; key++) {
      if (stale[key]) {
        if (++scanned % KEYS_AT_A_TIME == 0 && expired.getAsBoolean()) {
          return false;
        }
        boolean before = right;
        right = true;
        scan(key);
        stale[key] = !right;
        right &= before;
      }
    }
    return right;
  }

  private void touch(int txn) {
    for (int i = problem.reads.first(txn); i < problem.reads.end(txn); i++) {
      stale[problem.keyOf[problem.reads.item(i)]] = true;
    }
    for (int i = problem.writes.first(txn); i < problem.writes.end(txn); i++) {
      stale[problem.keyOf[problem.writes.item(i)]] = true;
    }
  }

  private void scan(int key) {
    int from = problem.keyFirst[key] + 1;
    int count = problem.keyFirst[key + 1] - from;
    if (count > sorted.length) {
      sorted = new long[2 * count];
    }
    for (int i = 0; i < count; i++) {
      int version = from + i;
      int place = order.place(problem.commit(problem.writer[version]));
      sorted[i] = ((long) place << 32) | version;
    }
    Arrays.sort(sorted, 0, count);
    for (int i = 0; i + 1 < count; i++) {
      check((int) sorted[i], problem.writer[(int) sorted[i + 1]]);
    }
  }

  private void check(int version, int next) {
    int writer = problem.writer[version];
    int commit = order.place(problem.commit(next));
    boolean wrong =
        problem.shape.exclusive
            && order.place(problem.commit(writer)) > order.place(problem.begin(next));
    for (int i = problem.readers.first(version); i < problem.readers.end(version); i++) {
      wrong |= order.place(problem.begin(problem.readers.item(i))) > commit;
    }
    Grouping choices = solver.choicesOfVersion();
    for (int i = choices.first(version); i < choices.end(version); i++) {
      wrong |=
          solver.isChosen(choices.item(i))
              && order.place(problem.begin(solver.readerOfChoice(choices.item(i)))) > commit;
    }
    if (wrong) {
      solver.addPair(writer, next);
      right = false;
    }
  }
}
