package dev.assay.solve;

import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import java.util.Arrays;

/**
 * Explains why a reader sees an overwrite of what it read: finds a step or path that uses as few
 * orders of open pairs and as few choices as possible, and makes a clause of it.
 */
final class VisibilityPath {
  private final Polygraph problem;
  private final IncrementalOrder order;
  private final OrderSolver solver;
  private final VersionsInOrder versions;
  private final Digraph before;

  /** The variables of choices by their reader. */
  private final Grouping choicesOfReader;

  private final int[] versionOfChoice;

  // The backward search from the reader: the successor of each node and the edge to it.
  private final int[] cost;
  private final int[] towards;
  private final int[] edge;
  private final int[] choice;
  private IntList open = new IntList(64);
  private IntList openNext = new IntList(64);

  // The literals used, all true, as a clause of their negations.
  private final IntList clause = new IntList(16);

  VisibilityPath(
      Polygraph problem,
      EdgeList added,
      IncrementalOrder order,
      OrderSolver solver,
      VersionsInOrder versions) {
    this.problem = problem;
    this.order = order;
    this.solver = solver;
    this.versions = versions;
    this.before = Digraph.predecessors(problem.nodes, problem.known, added);
    this.cost = new int[problem.nodes];
    this.towards = new int[problem.nodes];
    this.edge = new int[problem.nodes];
    this.choice = new int[problem.nodes];
    Grouping byVersion = solver.choicesOfVersion();
    IntList reader = new IntList(16);
    IntList variable = new IntList(16);
    this.versionOfChoice = new int[solver.search().variables()];
    for (int version = 0; version < problem.writer.length; version++) {
      for (int i = byVersion.first(version); i < byVersion.end(version); i++) {
        versionOfChoice[byVersion.item(i)] = version;
        reader.add(solver.readerOfChoice(byVersion.item(i)));
        variable.add(byVersion.item(i));
      }
    }
    this.choicesOfReader = Grouping.of(problem.transactions, reader, variable);
  }

  /** Whether a reader sees an earlier writer in one step. */
  boolean findStep(int writer, int reader) {
    clause.clear();
    if (problem.isOfChain(reader, writer) || problem.readsFrom(reader, writer)) {
      return true;
    }
    if (problem.sees(reader, writer)) {
      forbidPair(writer, reader);
      return true;
    }
    int variable = chosenFrom(writer, reader);
    if (variable != Polygraph.NONE) {
      clause.add(2 * variable + 1);
    }
    return variable != Polygraph.NONE;
  }

  /** Adds the transactions that a reader read from, for certain or by a choice made. */
  void addSources(int reader, IntList into) {
    for (int i = problem.reads.first(reader); i < problem.reads.end(reader); i++) {
      addWriter(problem.reads.item(i), into);
    }
    for (int i = choicesOfReader.first(reader); i < choicesOfReader.end(reader); i++) {
      int variable = choicesOfReader.item(i);
      if (solver.isChosen(variable)) {
        addWriter(versionOfChoice[variable], into);
      }
    }
  }

  private void addWriter(int version, IntList into) {
    if (problem.writer[version] != Polygraph.INITIAL) {
      into.add(problem.writer[version]);
    }
  }

  private int chosenFrom(int writer, int reader) {
    for (int i = choicesOfReader.first(reader); i < choicesOfReader.end(reader); i++) {
      int variable = choicesOfReader.item(i);
      if (solver.isChosen(variable) && problem.writer[versionOfChoice[variable]] == writer) {
        return variable;
      }
    }
    return Polygraph.NONE;
  }

  /** The writer after a version from which the cheapest path leads to a reader. */
  int findPath(int reader, int version) {
    clause.clear();
    int source = problem.writer[version];
    int limit = source == Polygraph.INITIAL ? Polygraph.NONE : order.place(source);
    Arrays.fill(cost, Integer.MAX_VALUE);
    open.clear();
    openNext.clear();
    cost[reader] = 0;
    open.add(reader);
    for (int spent = 0; open.size() > 0; spent++) {
      for (int i = 0; i < open.size(); i++) {
        int node = open.get(i);
        if (cost[node] != spent) {
          continue;
        }
        boolean found =
            node != reader
                && problem.isEvent(node)
                && problem.versionOf(node, problem.keyOf[version]) != Polygraph.NONE;
        if (found) {
          forbidPath(node, reader);
          return node;
        }
        expand(node, limit);
      }
      IntList done = open;
      open = openNext;
      openNext = done;
      openNext.clear();
    }
    throw new IllegalStateException("there is no path");
  }

  private void expand(int node, int limit) {
    int spent = cost[node];
    for (int i = before.first(node); i < before.end(node); i++) {
      reach(before.neighbour(i), node, spent, limit, before.edge(i), Polygraph.NONE);
    }
    if (!problem.isEvent(node)) {
      return;
    }
    for (int i = choicesOfReader.first(node); i < choicesOfReader.end(node); i++) {
      int variable = choicesOfReader.item(i);
      int writer = problem.writer[versionOfChoice[variable]];
      if (solver.isChosen(variable) && writer != Polygraph.INITIAL) {
        reach(writer, node, spent + 1, limit, Polygraph.NONE, variable);
      }
    }
    for (int i = problem.writes.first(node); i < problem.writes.end(node); i++) {
      int version = versions.previous(problem.writes.item(i));
      while (version != Polygraph.NONE && order.place(problem.writer[version]) > limit) {
        reach(problem.writer[version], node, spent + 1, limit, Polygraph.NONE, Polygraph.NONE);
        version = versions.previous(version);
      }
    }
  }

  private void reach(int node, int from, int spent, int limit, int byEdge, int byChoice) {
    if (order.place(node) > limit && spent < cost[node]) {
      (spent == cost[from] ? open : openNext).add(node);
      cost[node] = spent;
      towards[node] = from;
      edge[node] = byEdge;
      choice[node] = byChoice;
    }
  }

  private void forbidPath(int writer, int reader) {
    for (int node = writer; node != reader; node = towards[node]) {
      if (problem.isEvent(node)) {
        solver.blame(node);
      }
      if (choice[node] != Polygraph.NONE) {
        clause.add(2 * choice[node] + 1);
      } else if (edge[node] == Polygraph.NONE) {
        forbidPair(node, towards[node]);
      } else if (edge[node] >= problem.known.size()) {
        solver.blameEdge(edge[node] - problem.known.size());
      }
    }
  }

  private void forbidPair(int first, int second) {
    clause.add(solver.addPair(first, second) ^ 1);
  }

  /**
   * Adds the clause that forbids the path found together with the read and the writer after its
   * version.
   */
  void forbid(int reader, int version, int writer, int readChoice) {
    solver.blame(reader);
    solver.blame(writer);
    int source = problem.writer[version];
    if (source != Polygraph.INITIAL) {
      solver.blame(source);
      forbidPair(source, writer);
    }
    if (readChoice != Polygraph.NONE) {
      clause.add(readChoice ^ 1);
    }
    solver.search().addLemma(clause);
  }
}
