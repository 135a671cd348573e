package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Finds reads that a topological order gets wrong, for shapes in which a read need not come before
 * an overwrite of its version but must not see it: the reader sees a later writer of the key by a
 * path (or one step) of known edges, choices and the versions of other keys in this order. Each
 * such read becomes a clause that forbids the orders used.
 */
final class VisibilityScan implements OrderSolver.Scan {
  /** Maximum number of clauses per scan; more would not help before the search has used these. */
  private static final int MAX_CLAUSES = 1000;

  private final Polygraph problem;
  private final IncrementalOrder order;
  private final OrderSolver solver;
  private final BooleanSupplier expired;
  private final Digraph after;
  private final VisibilityPath path;
  private final VersionsInOrder versions;

  // Reads whose version is overwritten before them.
  private final IntList suspectReader = new IntList(64);
  private final IntList suspectVersion = new IntList(64);
  private final IntList suspectChoice = new IntList(64);

  private final IntList sources = new IntList(16);
  private final long[] bits;
  private int clauses;

  VisibilityScan(
      Polygraph problem,
      EdgeList added,
      IncrementalOrder order,
      OrderSolver solver,
      BooleanSupplier expired) {
    this.problem = problem;
    this.order = order;
    this.solver = solver;
    this.expired = expired;
    this.after = Digraph.successors(problem.nodes, problem.known, added);
    this.versions = new VersionsInOrder(problem, order);
    this.path = new VisibilityPath(problem, added, order, solver, versions);
    this.bits = new long[problem.nodes];
  }

  @Override
  public boolean run() {
    versions.sort();
    clauses = 0;
    findSuspects();
    if (problem.shape == Polygraph.Shape.ATOMIC) {
      for (int i = 0; i < suspectReader.size() && goesOn(); i++) {
        checkSteps(suspectReader.get(i), suspectVersion.get(i), suspectChoice.get(i));
      }
    } else {
      int[] nodes = order.toArray();
      for (int i = 0; i < suspectReader.size() && goesOn(); i += Long.SIZE) {
        checkPaths(nodes, i, Math.min(i + Long.SIZE, suspectReader.size()));
      }
    }
    return clauses == 0 && !expired.getAsBoolean();
  }

  private boolean goesOn() {
    return clauses < MAX_CLAUSES && !expired.getAsBoolean();
  }

  private void findSuspects() {
    suspectReader.clear();
    suspectVersion.clear();
    suspectChoice.clear();
    Grouping choices = solver.choicesOfVersion();
    for (int version = 0; version < problem.writer.length; version++) {
      int next = versions.next(version);
      if (next == Polygraph.NONE) {
        continue;
      }
      int overwriter = problem.writer[next];
      for (int i = problem.readers.first(version); i < problem.readers.end(version); i++) {
        suspect(problem.readers.item(i), version, overwriter, Polygraph.NONE);
      }
      for (int i = choices.first(version); i < choices.end(version); i++) {
        int variable = choices.item(i);
        if (solver.isChosen(variable)) {
          suspect(solver.readerOfChoice(variable), version, overwriter, 2 * variable);
        }
      }
    }
  }

  private void suspect(int reader, int version, int overwriter, int choice) {
    if (order.place(overwriter) < order.place(reader)) {
      suspectReader.add(reader);
      suspectVersion.add(version);
      suspectChoice.add(choice);
    }
  }

  /** Writers between a version and a read of it that the reader sees in one step. */
  private void checkSteps(int reader, int version, int choice) {
    if (problem.seesOnlySources(reader, problem.keyOf[version])) {
      checkSources(reader, version, choice);
      return;
    }
    for (int v = versions.next(version); v != Polygraph.NONE; v = versions.next(v)) {
      int writer = problem.writer[v];
      if (order.place(writer) >= order.place(reader)) {
        return;
      }
      if (path.findStep(writer, reader)) {
        clauses++;
        path.forbid(reader, version, writer, choice);
      }
    }
  }

  /** The same where the reader sees only what it read from. */
  private void checkSources(int reader, int version, int choice) {
    sources.clear();
    path.addSources(reader, sources);
    long[] later = new long[sources.size()];
    int count = 0;
    for (int i = 0; i < later.length; i++) {
      int writer = sources.get(i);
      int other = problem.versionOf(writer, problem.keyOf[version]);
      boolean between =
          other != Polygraph.NONE
              && versions.isAfter(other, version)
              && order.place(writer) < order.place(reader);
      if (between) {
        later[count++] = ((long) order.place(writer) << 32) | writer;
      }
    }
    Arrays.sort(later, 0, count);
    for (int i = 0; i < count; i++) {
      int writer = (int) later[i];
      if ((i == 0 || later[i] != later[i - 1]) && path.findStep(writer, reader)) {
        clauses++;
        path.forbid(reader, version, writer, choice);
      }
    }
  }

  /**
   * Checks at most 64 suspects for paths. Each has a bit, which starts at the first overwrite of
   * what it read and propagates along all edges; a bit that reaches its reader gives a clause.
   */
  private void checkPaths(int[] nodes, int from, int to) {
    Arrays.fill(bits, 0);
    int first = nodes.length;
    int last = 0;
    for (int i = from; i < to; i++) {
      int writer = problem.writer[versions.next(suspectVersion.get(i))];
      bits[writer] |= 1L << (i - from);
      first = Math.min(first, order.place(writer));
      last = Math.max(last, order.place(suspectReader.get(i)));
    }
    for (int i = first; i < last; i++) {
      if (bits[nodes[i]] != 0) {
        spread(nodes[i]);
      }
    }
    for (int i = from; i < to && goesOn(); i++) {
      int reader = suspectReader.get(i);
      if ((bits[reader] & (1L << (i - from))) != 0) {
        clauses++;
        int version = suspectVersion.get(i);
        int writer = path.findPath(reader, version);
        path.forbid(reader, version, writer, suspectChoice.get(i));
      }
    }
  }

  private void spread(int node) {
    long own = bits[node];
    for (int i = after.first(node); i < after.end(node); i++) {
      bits[after.neighbour(i)] |= own;
    }
    if (!problem.isEvent(node)) {
      return;
    }
    Grouping choices = solver.choicesOfVersion();
    for (int i = problem.writes.first(node); i < problem.writes.end(node); i++) {
      int version = problem.writes.item(i);
      int next = versions.next(version);
      if (next != Polygraph.NONE) {
        bits[problem.writer[next]] |= own;
      }
      for (int c = choices.first(version); c < choices.end(version); c++) {
        if (solver.isChosen(choices.item(c))) {
          bits[solver.readerOfChoice(choices.item(c))] |= own;
        }
      }
    }
  }
}
