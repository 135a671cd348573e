package dev.assay.solve;

import dev.assay.graph.EdgeList;
import dev.assay.graph.IntList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * Decides a {@link Polygraph}: saturates, guesses an order, and searches where the guess is wrong.
 */
public final class Decision {
  /** Share of the heap that clocks may take. */
  private static final int HEAP_SHARE = 4;

  /** The result. */
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
     * @param blamed transactions that have no order even without the others, except for those that
     *     wrote what they read
     */
    record Refuted(BitSet blamed) implements Result {}

    /**
     * The problem should be encoded again, with fewer candidates.
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

  /** Maximum number of reads without a possible writer whose reasons are compared. */
  private static final int MAX_UNSEEN = 8;

  /** Number of clock entries up to which clocks are cheap, however many entries each has. */
  private static final long FEW_ENTRIES = 4_000_000;

  /**
   * Number of conflicts before an order is guessed, or one per ten transactions if that is more.
   */
  private static final long FEW_CONFLICTS = 1_000;

  private final Polygraph problem;
  private final BooleanSupplier expired;
  private final Effort effort;
  private final long mostConflicts;

  public Decision(Polygraph problem, BooleanSupplier expired, Effort effort) {
    this(problem, expired, effort, Long.MAX_VALUE);
  }

  /**
   * A decision with a maximum number of conflicts, after which it answers {@link Result.Expired}.
   */
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
    return settled == null ? search(saturation, saturation.order(), mostConflicts) : settled;
  }

  /**
   * Decides even if the preferred order is far from any solution. An order is guessed from scratch
   * before clocks are made if these would cost more, and otherwise when the search has many
   * conflicts.
   */
  public Result runFromAnywhere(int[] preferred) {
    if (!problem.shape.readsFirst || expired.getAsBoolean()) {
      return run(preferred);
    }
    Saturation saturation = new Saturation(problem, expired);
    int[] order = preferred;
    boolean wide = false;
    if (saturation.prepare(problem.nodesOf(preferred))) {
      Result found = problem.choiceReader.length == 0 ? tryOrder(saturation) : null;
      wide = found == null && isWide(saturation);
      if (wide) {
        Repair repair = repair(saturation.added(), preferred);
        order = repair.order();
        found = repair.mistakes() == 0 ? tryOrder(order) : null;
      }
      if (found != null) {
        return found;
      }
    }
    Result settled = saturate(saturation, order);
    if (settled != null || expired.getAsBoolean()) {
      return settled == null ? new Result.Expired() : settled;
    }
    return wide
        ? search(saturation, saturation.order(), mostConflicts)
        : searchAndRepair(saturation);
  }

  /**
   * Whether clocks cost more than guessing an order from scratch. A long history of few sessions
   * has many clocks, but short ones: saturation takes a second for 200,000 transactions of ten
   * sessions, and {@link Repair}, which is not linear, more than a minute.
   */
  private boolean isWide(Saturation saturation) {
    long width = saturation.entries() / problem.nodes;
    return saturation.entries() > FEW_ENTRIES
        && (width * width > problem.nodes || saturation.entries() > maxEntries());
  }

  private static long maxEntries() {
    long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE / Integer.BYTES;
    return Math.min(share, Integer.MAX_VALUE - 8);
  }

  /** Guesses an order without saturation or search; expired if it is not a solution. */
  public Result guess(int[] preferred) {
    boolean possible = problem.shape.readsFirst && problem.choiceReader.length == 0;
    Result found = possible && !expired.getAsBoolean() ? tryOrder(preferred) : null;
    return found == null ? new Result.Expired() : found;
  }

  /** The order that a saturation has been prepared with, if it is a solution; else null. */
  private Result tryOrder(Saturation prepared) {
    long start = System.nanoTime();
    int[] guess = new Schedule(problem, prepared.added(), prepared.order(), expired).run();
    OrderSolver solver = new OrderSolver(problem, prepared.added(), guess, expired);
    Result found = solver.startsRight() ? new Result.Found(events(solver.order())) : null;
    effort.lap(Effort.ENCODE, start);
    return found;
  }

  private Result tryOrder(int[] order) {
    Saturation prepared = new Saturation(problem, expired);
    return prepared.prepare(problem.nodesOf(order)) ? tryOrder(prepared) : null;
  }

  private Repair repair(EdgeList added, int[] preferred) {
    long start = System.nanoTime();
    Repair repair = new Repair(problem, added, expired);
    effort.guessed();
    repair.run(preferred);
    effort.lap(Effort.SOLVE, start);
    return repair;
  }

  /** Counts what is open, unless saturation decides the problem or asks for a new encoding. */
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

  /** The result of saturation alone, or null if it does not decide. */
  private Result saturate(Saturation saturation, int[] preferred) {
    long start = System.nanoTime();
    Saturation.Outcome outcome = saturation.run(problem.nodesOf(preferred), maxEntries());
    start = effort.lap(Effort.SATURATE, start);
    effort.saturated(saturation.sweeps(), saturation.added().size());
    if (outcome == Saturation.Outcome.EXPIRED) {
      return new Result.Expired();
    }
    if (outcome == Saturation.Outcome.CONTRADICTION) {
      BitSet blamed = new Blame(problem, saturation.added(), expired).ofCycle();
      effort.lap(Effort.EXPLAIN, start);
      return new Result.Refuted(blamed);
    }
    if (problem.choiceReader.length > 0 && saturation.hasClocks()) {
      int[][] left = saturation.possibleSources();
      effort.lap(Effort.SATURATE, start);
      if (left == null) {
        return new Result.Expired();
      }
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

  /** Blame for a read without a possible source; the read with the least blame is taken. */
  private BitSet blameUnseen(Saturation saturation, int[][] left) {
    BitSet least = null;
    int tried = 0;
    for (int c = 0; c < left.length && tried < MAX_UNSEEN; c++) {
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

  /** Searches; after many conflicts guesses an order and restarts the search from it. */
  private Result searchAndRepair(Saturation saturation) {
    long few = Math.max(FEW_CONFLICTS, problem.transactions / 10);
    Result result = search(saturation, saturation.order(), Math.min(few, mostConflicts));
    boolean gaveUp = result instanceof Result.Expired && few < mostConflicts;
    if (!gaveUp || expired.getAsBoolean()) {
      return result;
    }
    Repair repair = repair(saturation.added(), transactions(saturation.order()));
    Result found = repair.mistakes() == 0 ? tryOrder(repair.order()) : null;
    return found == null
        ? search(
            saturation, saturation.startingFrom(problem.nodesOf(repair.order())), mostConflicts)
        : found;
  }

  private int[] transactions(int[] nodes) {
    return Arrays.stream(nodes)
        .filter(node -> problem.isEvent(node) && problem.commit(problem.owner[node]) == node)
        .map(node -> problem.owner[node])
        .toArray();
  }

  private Result search(Saturation saturation, int[] order, long conflictLimit) {
    long start = System.nanoTime();
    int[] guess = new Schedule(problem, saturation.added(), order, expired).run();
    OrderSolver solver = new OrderSolver(problem, saturation.added(), guess, expired);
    start = effort.lap(Effort.ENCODE, start);
    Search.Result result = solver.run(conflictLimit);
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
    IntList events = new IntList(order.length);
    for (int node : order) {
      if (problem.isEvent(node)) {
        int txn = problem.owner[node];
        events.add(2 * txn + (problem.commit(txn) == node ? 1 : 0));
      }
    }
    return events.toArray();
  }
}
