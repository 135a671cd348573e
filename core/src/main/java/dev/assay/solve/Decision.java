package dev.assay.solve;

import dev.assay.graph.EdgeList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** Decides a {@link Polygraph}: saturate, guess an order, search where the guess is wrong. */
public final class Decision {
  /** Share of the heap that clocks may take. */
  private static final int HEAP_SHARE = 4;

  /** What came of it. */
  public sealed interface Result {
    /**
     * There is an order.
     *
     * @param events all events in order: twice the transaction, plus one where it commits
     */
    record Found(int[] events) implements Result {}

    /**
     * There is none.
     *
     * @param blamed transactions of which there is no order even without the others, but for those
     *     that wrote what they read
     */
    record Refuted(BitSet blamed) implements Result {}

    /**
     * The problem should be stated anew, with fewer choices.
     *
     * @param left for each choice the writers that are left, −1 for the initial version
     */
    record Narrowed(int[][] left) implements Result {}

    /** Nothing was decided, but what is open was counted. */
    record Counted(Constraints constraints) implements Result {}

    /** Nothing was decided or counted, because clocks would take too much memory. */
    record Unsaturated() implements Result {}

    /** The time ran out. */
    record Expired() implements Result {}
  }

  /** Of so many reads that can have seen nothing the reasons are looked at. */
  private static final int MOST_UNSEEN = 8;

  private final Polygraph problem;
  private final BooleanSupplier expired;
  private final Effort effort;
  private final long mostConflicts;

  public Decision(Polygraph problem, BooleanSupplier expired, Effort effort) {
    this(problem, expired, effort, Long.MAX_VALUE);
  }

  /** One that gives up, as if the time had run out, after so many conflicts. */
  public Decision(Polygraph problem, BooleanSupplier expired, Effort effort, long mostConflicts) {
    this.mostConflicts = mostConflicts;
    this.problem = problem;
    this.expired = expired;
    this.effort = effort;
  }

  /**
   * Decides.
   *
   * @param preferred all transactions in the order to try first
   */
  public Result run(int[] preferred) {
    if (expired.getAsBoolean()) {
      return new Result.Expired();
    }
    Saturation saturation = new Saturation(problem, expired);
    Result settled = saturate(saturation, preferred);
    if (settled == null && expired.getAsBoolean()) {
      return new Result.Expired();
    }
    return settled == null ? search(saturation) : settled;
  }

  /** Counts what is open unless saturation settles it or asks for the problem to be stated anew. */
  public Result count(int[] preferred) {
    Saturation saturation = new Saturation(problem, expired);
    Result settled = saturate(saturation, preferred);
    if (settled != null) {
      return settled;
    }
    return saturation.hasClocks()
        ? new Result.Counted(Constraints.of(problem, saturation))
        : new Result.Unsaturated();
  }

  /** What saturation alone comes to, or null. */
  private Result saturate(Saturation saturation, int[] preferred) {
    long start = System.nanoTime();
    long maxEntries = Runtime.getRuntime().maxMemory() / HEAP_SHARE / Integer.BYTES;
    Saturation.Outcome outcome =
        saturation.run(problem.nodesOf(preferred), Math.min(maxEntries, Integer.MAX_VALUE - 8));
    start = effort.lap(Effort.SATURATE, start);
    effort.saturated(saturation.sweeps(), saturation.added().size());
    if (outcome == Saturation.Outcome.EXPIRED) {
      return new Result.Expired();
    }
    if (outcome == Saturation.Outcome.CONTRADICTION) {
      BitSet blamed = new Blame(problem, saturation.added(), expired).ofCircle();
      effort.lap(Effort.EXPLAIN, start);
      return new Result.Refuted(blamed);
    }
    if (problem.choiceReader.length > 0 && saturation.hasClocks()) {
      int[][] left = saturation.possibleSources();
      effort.lap(Effort.SATURATE, start);
      int fewest = Arrays.stream(left).mapToInt(sources -> sources.length).min().orElse(0);
      if (fewest == 0) {
        BitSet blamed = blameUnseen(saturation, left);
        effort.lap(Effort.EXPLAIN, start);
        return new Result.Refuted(blamed);
      }
      if (fewest == 1) {
        return new Result.Narrowed(left);
      }
    }
    return null;
  }

  /** What rules out all that some read may have seen, for the read where that is least. */
  private BitSet blameUnseen(Saturation saturation, int[][] left) {
    BitSet least = null;
    int tried = 0;
    for (int c = 0; c < left.length && tried < MOST_UNSEEN; c++) {
      if (left[c].length > 0 || (least != null && expired.getAsBoolean())) {
        continue;
      }
      tried++;
      EdgeList paths = new EdgeList();
      for (int i = problem.choices.first(c); i < problem.choices.end(c); i++) {
        paths.addAll(saturation.whyImpossible(problem.choiceReader[c], problem.choices.item(i)));
      }
      BitSet blamed = new Blame(problem, saturation.added(), expired).ofPaths(paths);
      if (least == null || blamed.cardinality() < least.cardinality()) {
        least = blamed;
      }
    }
    return least;
  }

  private Result search(Saturation saturation) {
    long start = System.nanoTime();
    int[] guess = new Schedule(problem, saturation.added(), saturation.order()).run();
    OrderSolver solver = new OrderSolver(problem, saturation.added(), guess, expired);
    start = effort.lap(Effort.ENCODE, start);
    Search.Result result = solver.run(mostConflicts);
    start = effort.lap(Effort.SOLVE, start);
    Search search = solver.search();
    effort.searched(search.variables(), search.decisions(), search.conflicts());
    return switch (result) {
      case FOUND -> new Result.Found(events(solver.order()));
      case EXPIRED -> new Result.Expired();
      case REFUTED -> {
        Blame blame = new Blame(problem, saturation.added(), expired);
        BitSet blamed = blame.of(solver.blamed(), solver.blamedEdges());
        effort.lap(Effort.EXPLAIN, start);
        yield new Result.Refuted(blamed);
      }
    };
  }

  private int[] events(int[] order) {
    Ints events = new Ints(order.length);
    for (int node : order) {
      if (problem.isEvent(node)) {
        int txn = problem.owner[node];
        events.add(2 * txn + (problem.commit(txn) == node ? 1 : 0));
      }
    }
    return events.toArray();
  }
}
