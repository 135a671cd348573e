package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import dev.assay.history.LongIndex;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/**
 * Decides a {@link Polygraph}: a search over the order of pairs of writers and over the choices of
 * ambiguous reads, in a graph that must stay without cycles.
 *
 * <p>A pair becomes a variable only when the current topological order gets it wrong: when a writer
 * is between a version and one of its reads. The order itself decides all other pairs, so only the
 * contested pairs of a key with many writers ever become variables.
 */
public final class OrderSolver implements Search.Theory {
  /** Finds violations in the current order. */
  interface Scan {
    /** Makes variables or clauses of the violations; true if there are none. */
    boolean run();
  }

  private final Polygraph problem;
  private final Search search;
  private final IncrementalOrder order;
  private final Scan scan;

  /** For each variable the pair, or the choice and −1 − its version. */
  private final IntList first = new IntList(64);

  private final IntList second = new IntList(64);

  /** Pairs, the lower transaction first, numbered as their variables are after those of choices. */
  private final LongIndex pairs = new LongIndex();

  private final int firstPair;

  /** The variables a transaction is in, as a linked list. */
  private final Links pairsOf;

  /** For each edge of the order the literals that caused it; the second may be −1. */
  private final IntList cause = new IntList(64);

  private final IntList otherCause = new IntList(64);

  /** For each choice its first variable; those of its versions follow each other. */
  private final int[] variableOfChoice;

  private final Grouping choicesOfVersion;

  /** Whether only choices are to be decided, and whether they have been. */
  private boolean onlyStart;

  private boolean asked;

  // What refuting conflicts rest on.
  private final BitSet blamed = new BitSet();
  private final BitSet blamedEdges = new BitSet();

  /**
   * Prepares.
   *
   * @param added edges known in addition to those of the problem
   * @param start a topological order of both
   */
  OrderSolver(Polygraph problem, EdgeList added, int[] start, BooleanSupplier expired) {
    this.problem = problem;
    this.search = new Search(this, () -> onlyStart && asked || expired.getAsBoolean());
    this.order =
        new IncrementalOrder(
            start,
            Digraph.successors(problem.nodes, problem.known, added),
            Digraph.predecessors(problem.nodes, problem.known, added));
    this.pairsOf = new Links(problem.transactions);
    this.variableOfChoice = new int[problem.choiceReader.length];
    IntList version = new IntList(16);
    IntList variable = new IntList(16);
    for (int c = 0; c < variableOfChoice.length; c++) {
      variableOfChoice[c] = search.variables();
      IntList clause = new IntList(4);
      for (int i = problem.choices.first(c); i < problem.choices.end(c); i++) {
        version.add(problem.choices.item(i));
        variable.add(search.variables());
        clause.add(2 * search.addVariable());
        first.add(c);
        second.add(-1 - problem.choices.item(i));
      }
      search.addClause(clause);
    }
    this.firstPair = search.variables();
    this.choicesOfVersion = Grouping.of(problem.writer.length, version, variable);
    this.scan =
        problem.shape.readsFirst
            ? new OrderScan(problem, order, this, expired)
            : new VisibilityScan(problem, added, order, this, expired);
  }

  public Search.Result run(long mostConflicts) {
    return search.run(mostConflicts);
  }

  /** Whether the start order is already a solution. */
  boolean startsRight() {
    onlyStart = true;
    return search.run(1) == Search.Result.FOUND;
  }

  /** The solution: all events in order. */
  int[] order() {
    return order.toArray();
  }

  /** Transactions that took part in conflicts: these alone have no order. */
  BitSet blamed() {
    return blamed;
  }

  /** The edges {@code added} that took part in conflicts. */
  BitSet blamedEdges() {
    return blamedEdges;
  }

  public Search search() {
    return search;
  }

  Grouping choicesOfVersion() {
    return choicesOfVersion;
  }

  /** Whether a variable of a choice is chosen. */
  boolean isChosen(int variable) {
    return search.value(2 * variable) > 0;
  }

  int readerOfChoice(int variable) {
    return problem.choiceReader[first.get(variable)];
  }

  /**
   * Makes the order of two transactions a variable; returns the literal for the first being
   * earlier.
   */
  int addPair(int a, int b) {
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    int variable = firstPair + pairs.indexOf(((long) low << 32) | high);
    if (variable == search.variables()) {
      search.addVariable();
      first.add(low);
      second.add(high);
      pairsOf.add(low, variable);
      pairsOf.add(high, variable);
    }
    return a == low ? 2 * variable : 2 * variable + 1;
  }

  /** Records that a refutation may rest on a transaction. */
  void blame(int txn) {
    blamed.set(txn);
  }

  /** Records that a refutation may rest on one of the edges {@code added}. */
  void blameEdge(int edge) {
    blamedEdges.set(edge);
  }

  private boolean isChoice(int variable) {
    return second.get(variable) < 0;
  }

  @Override
  public int mark() {
    return order.added();
  }

  @Override
  public void giveBackTo(int mark) {
    while (order.added() > mark) {
      order.removeLast();
    }
    cause.truncate(mark);
    otherCause.truncate(mark);
  }

  @Override
  public boolean isComplete() {
    asked = true;
    return scan.run();
  }

  @Override
  public int prefer(int variable) {
    if (isChoice(variable)) {
      return preferChoice(variable);
    }
    boolean inOrder =
        order.place(problem.commit(first.get(variable)))
            < order.place(problem.commit(second.get(variable)));
    return inOrder ? 2 * variable : 2 * variable + 1;
  }

  /** The latest version before the read in the current order, unless one is chosen. */
  private int preferChoice(int variable) {
    int choice = first.get(variable);
    int reader = order.place(problem.begin(problem.choiceReader[choice]));
    int best = variable;
    int bestPlace = Integer.MIN_VALUE;
    for (int i = 0; i < problem.choices.size(choice); i++) {
      int candidate = variableOfChoice[choice] + i;
      if (isChosen(candidate)) {
        return 2 * variable + 1;
      }
      int writer = problem.writer[-1 - second.get(candidate)];
      int place = writer < 0 ? Polygraph.NONE : order.place(problem.commit(writer));
      boolean open = search.value(2 * candidate) == 0;
      if (open && place < reader && place > bestPlace) {
        best = candidate;
        bestPlace = place;
      }
    }
    return 2 * best;
  }

  @Override
  public boolean take(int literal, IntList together) {
    int variable = literal >> 1;
    boolean negative = (literal & 1) == 1;
    if (isChoice(variable)) {
      return negative || takeChoice(literal, together);
    }
    int before = negative ? second.get(variable) : first.get(variable);
    int after = negative ? first.get(variable) : second.get(variable);
    int target = problem.versionTarget(after);
    if (!add(problem.commit(before), target, literal, Polygraph.NONE, together)) {
      return false;
    }
    return !problem.shape.readsFirst || takeReads(before, after, literal, together);
  }

  /** Reads of one writer's versions come before the commit of the other. */
  private boolean takeReads(int before, int after, int literal, IntList together) {
    int commit = problem.commit(after);
    for (int i = problem.writes.first(before); i < problem.writes.end(before); i++) {
      int version = problem.writes.item(i);
      if (problem.versionOf(after, problem.keyOf[version]) == Polygraph.NONE) {
        continue;
      }
      int end = problem.end[version];
      boolean readBefore = end != Polygraph.NONE && !problem.isReader(version, after);
      if (readBefore && !add(end, commit, literal, Polygraph.NONE, together)) {
        return false;
      }
      for (int c = choicesOfVersion.first(version); c < choicesOfVersion.end(version); c++) {
        int choice = choicesOfVersion.item(c);
        int reader = readerOfChoice(choice);
        boolean counts = isChosen(choice) && reader != after;
        if (counts && !add(problem.begin(reader), commit, literal, 2 * choice, together)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean takeChoice(int literal, IntList together) {
    int reader = readerOfChoice(literal >> 1);
    int version = -1 - second.get(literal >> 1);
    int key = problem.keyOf[version];
    int begin = problem.begin(reader);
    int writer = problem.writer[version];
    if (!problem.shape.readsFirst) {
      return writer == Polygraph.INITIAL
          || add(problem.commit(writer), begin, literal, Polygraph.NONE, together);
    }
    if (writer == Polygraph.INITIAL) {
      for (int v = problem.keyFirst[key] + 1; v < problem.keyFirst[key + 1]; v++) {
        int other = problem.writer[v];
        boolean follows = other != reader;
        if (follows && !add(begin, problem.commit(other), literal, Polygraph.NONE, together)) {
          return false;
        }
      }
      return true;
    }
    if (!add(problem.commit(writer), begin, literal, Polygraph.NONE, together)) {
      return false;
    }
    for (int e = pairsOf.first(writer); e != Polygraph.NONE; e = pairsOf.next(e)) {
      int pair = pairsOf.other(e);
      boolean isFirst = first.get(pair) == writer;
      int after = isFirst ? second.get(pair) : first.get(pair);
      int ordered = isFirst ? 2 * pair : 2 * pair + 1;
      boolean follows =
          search.value(ordered) > 0
              && after != reader
              && problem.versionOf(after, key) != Polygraph.NONE;
      if (follows && !add(begin, problem.commit(after), literal, ordered, together)) {
        return false;
      }
    }
    return true;
  }

  private boolean add(int from, int to, int literal, int other, IntList together) {
    if (order.add(from, to)) {
      cause.add(literal);
      otherCause.add(other);
      return true;
    }
    blame(literal, other, together);
    for (int i = 0; i < order.cycleEdges.size(); i++) {
      int edge = order.cycleEdges.get(i);
      if (edge >= 0) {
        blame(cause.get(edge), otherCause.get(edge), together);
      } else if (-1 - edge >= problem.known.size()) {
        blamedEdges.set(-1 - edge - problem.known.size());
      }
    }
    for (int i = 0; i < order.cycleNodes.size(); i++) {
      int owner = problem.owner[order.cycleNodes.get(i)];
      if (owner >= 0) {
        blamed.set(owner);
      }
    }
    return false;
  }

  private void blame(int literal, int other, IntList together) {
    blameOne(literal, together);
    if (other != Polygraph.NONE) {
      blameOne(other, together);
    }
  }

  private void blameOne(int literal, IntList together) {
    for (int i = 0; i < together.size(); i++) {
      if (together.get(i) == literal) {
        return;
      }
    }
    together.add(literal);
    int variable = literal >> 1;
    if (isChoice(variable)) {
      blamed.set(readerOfChoice(variable));
      int writer = problem.writer[-1 - second.get(variable)];
      if (writer >= 0) {
        blamed.set(writer);
      }
    } else {
      blamed.set(first.get(variable));
      blamed.set(second.get(variable));
    }
  }
}
