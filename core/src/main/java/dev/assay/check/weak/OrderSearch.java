package dev.assay.check.weak;

import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.graph.EdgeList;
import dev.assay.level.Axiom;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.List;

/**
 * Searches for a commit order that satisfies an axiom: guesses an order, finds forced edges that
 * point backwards in it, adds them and guesses again. Ends with an order without such edges, which
 * proves the level, or with a cycle, which refutes it.
 */
final class OrderSearch {
  /** Share of the heap that vector clocks may take. */
  private static final int HEAP_SHARE = 4;

  /** Maximum number of sessions for which clocks are cheap enough to make per question. */
  private static final int FEW_SESSIONS = 512;

  /** Entries of clocks that are made for many questions, and how many questions that takes. */
  private static final int FEW_ENTRIES = 1 << 24;

  private static final int FEW_QUESTIONS = 1000;

  private final Causality causality;
  private final boolean sessions;
  private final CausalCycles cycles;
  private final AxiomPremises premises;
  private final Scan scan;
  private final CommitOrder first;
  private final Budget budget;
  private long steps;
  private CausalPast wholePast;
  private DirectPast directPast;
  private ClockUse clocks = ClockUse.WHERE_CHEAPER;
  private Extent.Bounds bounds;

  /**
   * Prepares a search.
   *
   * @param sessions whether the commit order must contain session order
   */
  private OrderSearch(
      Causality causality,
      boolean sessions,
      CausalCycles cycles,
      List<KeyAccess> access,
      Budget budget) {
    this.causality = causality;
    this.sessions = sessions;
    this.cycles = cycles;
    this.premises = new AxiomPremises(causality);
    this.scan = new Scan(causality, premises, access, cycles.any());
    this.budget = budget;
    this.bounds = Extent.Bounds.of(causality);
    this.first = CommitOrder.find(constraints(new EdgeList()), LikelyOrder.of(causality.history()));
  }

  /** When to use vector clocks for causal precedence; tests try each way. */
  enum ClockUse {
    WHERE_CHEAPER,
    ALWAYS,
    NEVER
  }

  OrderSearch using(ClockUse use) {
    clocks = use;
    return this;
  }

  /** The same search with other bounds, for tests. */
  OrderSearch within(Extent.Bounds others) {
    bounds = others;
    return this;
  }

  /** The result of a search. */
  sealed interface Result {
    /** The order satisfies the axiom. */
    record Found(CommitOrder order) implements Result {}

    /**
     * No order does.
     *
     * @param order the last guess, which respects all edges found before
     * @param backwards the edges that point backwards in it; some close a cycle
     * @param toInitial edges into the initial version
     * @param forced all edges found between transactions
     * @param complete whether nothing that points backwards or to the initial version was left out
     */
    record Refuted(
        CommitOrder order,
        EdgeList backwards,
        EdgeList toInitial,
        EdgeList forced,
        boolean complete)
        implements Result {}

    /** The budget ran out. */
    record Expired() implements Result {}
  }

  /** A search over causal order; reads inside a cycle are left out and remembered. */
  static OrderSearch of(
      Causality causality, boolean sessions, List<KeyAccess> access, Budget budget) {
    OrderSearch search = new OrderSearch(causality, sessions, CausalCycles.none(), access, budget);
    return search.first != null
        ? search
        : new OrderSearch(
            causality, sessions, CausalCycles.of(causality, sessions), access, budget);
  }

  CommitOrder firstGuess() {
    return first;
  }

  /** Whether the first guess explains every read as if transactions ran one after another. */
  boolean firstGuessIsSerial() {
    return !scan.hasCandidates(first);
  }

  AxiomPremises premises() {
    return premises;
  }

  Causality causality() {
    return causality;
  }

  boolean sessions() {
    return sessions;
  }

  CausalCycles cycles() {
    return cycles;
  }

  Result run(Axiom axiom) {
    CommitOrder order = first;
    EdgeList forced = new EdgeList();
    Scan.Region region = Scan.BACKWARDS;
    boolean complete = true;
    while (true) {
      EdgeList found = complete ? all(axiom, order, region) : null;
      if (found == null) {
        complete = false;
        Extent extent = Extent.implying(bounds, budget::expired);
        found = edges(axiom, order, Scan.BACKWARDS, extent);
      }
      EdgeList backwards = new EdgeList();
      EdgeList toInitial = new EdgeList();
      split(found, backwards, toInitial);
      if (budget.expired()) {
        // The edges found may be incomplete.
        return new Result.Expired();
      }
      forced.addAll(backwards);
      if (toInitial.size() > 0) {
        return new Result.Refuted(order, backwards, toInitial, forced, complete);
      }
      if (backwards.size() == 0) {
        return new Result.Found(order);
      }
      CommitOrder next = CommitOrder.find(constraints(forced), order.toArray());
      if (next == null) {
        return new Result.Refuted(order, backwards, toInitial, forced, complete);
      }
      order = next;
      // The order respects all edges that pointed backwards before.
      region = Scan.newlyBackwards(order);
    }
  }

  /** Which of the edges that causal order forces a weaker level requires too. */
  interface EdgeTest {
    /** Those of the edges that remain, given the order in which they point backwards; or null. */
    EdgeList kept(EdgeList edges, CommitOrder order);
  }

  /**
   * Continues where {@code causal} was refuted, with fewer edges. Returns whether an order
   * satisfies those that remain; false also if that is not known.
   */
  boolean succeedsWith(Result.Refuted refuted, EdgeTest test) {
    CommitOrder order = refuted.order();
    EdgeList found = new EdgeList();
    found.addAll(refuted.backwards());
    found.addAll(refuted.toInitial());
    EdgeList forced = new EdgeList();
    boolean complete = refuted.complete();
    while (complete && order != null && !budget.expired()) {
      EdgeList kept = test.kept(found, order);
      if (kept == null || kept.size() == 0) {
        return kept != null;
      }
      EdgeList backwards = new EdgeList();
      EdgeList toInitial = new EdgeList();
      split(kept, backwards, toInitial);
      if (toInitial.size() > 0) {
        return false;
      }
      forced.addAll(backwards);
      order = CommitOrder.find(constraints(forced), order.toArray());
      found = order == null ? null : all(Axiom.CAUSAL, order, Scan.BACKWARDS);
      complete = found != null;
    }
    return false;
  }

  /** All edges that an axiom forces in a region, or null if they are too many. */
  EdgeList all(Axiom axiom, CommitOrder order, Scan.Region region) {
    Extent extent = Extent.all(bounds, budget::expired);
    EdgeList found = edges(axiom, order, region, extent);
    return extent.exceeded() ? null : found;
  }

  /** Some of the edges that an axiom forces in a region, up to a number per read. */
  EdgeList some(Axiom axiom, CommitOrder order, Scan.Region region, int perRead) {
    return edges(axiom, order, region, Extent.some(bounds, perRead, budget::expired));
  }

  private EdgeList edges(Axiom axiom, CommitOrder order, Scan.Region region, Extent extent) {
    if (axiom != Axiom.CAUSAL) {
      return scan.run(axiom, order, null, region, extent);
    }
    if (!scan.hasCandidates(order)) {
      return new EdgeList();
    }
    int sessions = causality.history().sessionCount();
    // Clocks give the last preceding writer of a session without visiting the others.
    boolean byClocks = clocks == ClockUse.ALWAYS || (!extent.isAll() && sessions <= FEW_SESSIONS);
    if (clocks == ClockUse.NEVER || !byClocks) {
      DirectPast direct = new DirectPast(constraints(new EdgeList()), order);
      BatchScan batches = new BatchScan(direct, scan.candidates(order, region));
      // Making clocks costs sessions times edges, so they pay for versions read long after they
      // were overwritten, in histories of few sessions.
      if (clocks == ClockUse.NEVER || batches.steps() <= (long) direct.edges() * sessions) {
        return batches.run(extent);
      }
    }
    EdgeList all = new EdgeList();
    int width = windowWidth();
    for (int from = 0; from < sessions && !budget.expired(); from += width) {
      CausalPast past = past(from, Math.min(from + width, sessions));
      all.addAll(scan.run(axiom, order, past, region, extent));
    }
    return all;
  }

  /** Clocks over a window of sessions; those over all sessions are kept. */
  private CausalPast past(int from, int to) {
    boolean whole = from == 0 && to == causality.history().sessionCount();
    if (whole && wholePast != null) {
      return wholePast;
    }
    CausalPast past = new CausalPast(constraints(new EdgeList()), first, from, to);
    if (whole) {
      wholePast = past;
    }
    return past;
  }

  /** Prepares for many calls of {@link #precedes}, if that takes little memory. */
  void expectQuestions(int questions) {
    int all = causality.history().sessionCount();
    boolean cheap = (long) all * causality.transactions() <= FEW_ENTRIES;
    if (questions > FEW_QUESTIONS && cheap) {
      past(0, all);
    }
  }

  /** Steps taken by {@link #precedes} so far. */
  long steps() {
    return steps + (directPast == null ? 0 : directPast.steps());
  }

  /** Whether a transaction causally precedes another. */
  boolean precedes(int earlier, int later) {
    steps++;
    if (wholePast != null) {
      return wholePast.contains(earlier, later);
    }
    if (directPast == null) {
      directPast = new DirectPast(constraints(new EdgeList()), first);
    }
    return directPast.contains(earlier, later);
  }

  private int windowWidth() {
    long bytesPerSession = 4L * Math.max(causality.transactions(), 1);
    long room = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, room / bytesPerSession));
  }

  private CommitOrder.Constraints constraints(EdgeList forced) {
    return new CommitOrder.Constraints(causality, sessions, cycles, forced);
  }

  private static void split(EdgeList edges, EdgeList backwards, EdgeList toInitial) {
    for (int i = 0; i < edges.size(); i++) {
      EdgeList target = edges.to(i) == ReadsFrom.INITIAL ? toInitial : backwards;
      target.add(edges.from(i), edges.to(i), edges.label(i), edges.mark(i));
    }
  }
}
