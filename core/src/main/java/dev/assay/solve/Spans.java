package dev.assay.solve;

import dev.assay.graph.EdgeList;
import dev.assay.graph.Grouping;
import dev.assay.graph.IntList;
import java.util.Arrays;

/**
 * The constraints on a serial order as spans of it: from a writer to a reader of its version, with
 * no other writer of the key in between; and from one transaction to another that must follow it.
 * An order that respects these solves the problem, for every shape in which reads come before
 * overwrites.
 *
 * <p>The span of an ambiguous read begins at the version currently chosen for it.
 */
final class Spans {
  /** The number of transactions and instants of the problem. */
  final int units;

  /** Spans of reads of version v are {@code firstOf[v]}…; after those of all versions choices. */
  final int[] firstOf;

  /** The span of the first choice, which those of the others follow. */
  final int firstChoice;

  /** The first span that is an edge and not a read. */
  final int firstEdge;

  /** The choices that each version is among, as spans. */
  final Grouping choicesOf;

  /** For each choice the version currently chosen. */
  final int[] chosen;

  /** The unit before, or −1 if a span begins before everything. */
  final int[] start;

  final int[] end;

  /** The key of which no other writer may come between, or −1. */
  final int[] key;

  /** Whether the unit at the end of a span writes the key too. */
  final boolean[] overwrites;

  /** The spans that begin or end at each unit, or may do so. */
  final Grouping at;

  private final Polygraph problem;
  private final int[] unitOf;

  Spans(Polygraph problem, EdgeList added) {
    this.problem = problem;
    this.unitOf = new int[problem.nodes];
    this.units = number();
    IntList starts = new IntList(64);
    IntList ends = new IntList(64);
    IntList keys = new IntList(64);
    this.firstOf = new int[problem.writer.length + 1];
    for (int version = 0; version < problem.writer.length; version++) {
      firstOf[version] = starts.size();
      for (int i = problem.readers.first(version); i < problem.readers.end(version); i++) {
        starts.add(problem.writer[version]);
        ends.add(problem.readers.item(i));
        keys.add(problem.keyOf[version]);
      }
    }
    this.firstChoice = starts.size();
    firstOf[problem.writer.length] = firstChoice;
    long[] known = said(starts, ends);
    IntList versions = new IntList(16);
    IntList choices = new IntList(16);
    for (int c = 0; c < problem.choiceReader.length; c++) {
      for (int i = problem.choices.first(c); i < problem.choices.end(c); i++) {
        versions.add(problem.choices.item(i));
        choices.add(starts.size());
      }
      starts.add(problem.writer[versions.last()]);
      ends.add(problem.choiceReader[c]);
      keys.add(problem.keyOf[versions.last()]);
    }
    this.firstEdge = starts.size();
    this.choicesOf = Grouping.of(problem.writer.length, versions, choices);
    this.chosen = new int[firstEdge - firstChoice];
    addEdges(problem.known, known, starts, ends);
    addEdges(added, known, starts, ends);
    this.start = starts.toArray();
    this.end = ends.toArray();
    this.key = Arrays.copyOf(keys.toArray(), start.length);
    Arrays.fill(key, firstEdge, key.length, Polygraph.NONE);
    this.overwrites = new boolean[start.length];
    for (int span = 0; span < firstEdge; span++) {
      overwrites[span] = problem.versionOf(end[span], key[span]) != Polygraph.NONE;
    }
    this.at = byUnit(versions, choices);
  }

  private Grouping byUnit(IntList versions, IntList choices) {
    IntList unit = new IntList(2 * start.length);
    IntList span = new IntList(2 * start.length);
    for (int s = 0; s < start.length; s++) {
      boolean fixed = !isChoice(s) && start[s] != Polygraph.INITIAL;
      if (fixed) {
        unit.add(start[s]);
        span.add(s);
      }
      unit.add(end[s]);
      span.add(s);
    }
    for (int i = 0; i < versions.size(); i++) {
      int writer = problem.writer[versions.get(i)];
      if (writer != Polygraph.INITIAL) {
        unit.add(writer);
        span.add(choices.get(i));
      }
    }
    return Grouping.of(units, unit, span);
  }

  boolean isChoice(int span) {
    return span >= firstChoice && span < firstEdge;
  }

  /** The version currently chosen. */
  int chosen(int span) {
    return chosen[span - firstChoice];
  }

  /** Chooses a version. */
  void choose(int span, int version) {
    chosen[span - firstChoice] = version;
    start[span] = problem.writer[version];
  }

  /** Ends of versions are left out: the spans of reads cover them. */
  private int number() {
    Arrays.fill(unitOf, Polygraph.NONE);
    boolean[] isEnd = new boolean[problem.nodes];
    for (int node : problem.end) {
      if (node != Polygraph.NONE) {
        isEnd[node] = true;
      }
    }
    int count = problem.transactions;
    for (int node = 0; node < problem.nodes; node++) {
      if (problem.isEvent(node)) {
        unitOf[node] = problem.owner[node];
      } else if (!isEnd[node]) {
        unitOf[node] = count++;
      }
    }
    return count;
  }

  /** The pairs ordered by the spans of reads, sorted. */
  private long[] said(IntList starts, IntList ends) {
    long[] pairs = new long[starts.size()];
    int size = 0;
    for (; size < pairs.length; size++) {
      pairs[size] = pair(starts.get(size), ends.get(size));
    }
    for (int key = 0; key < problem.keys(); key++) {
      int initial = problem.keyFirst[key];
      if (problem.readers.size(initial) == 1) {
        // The builder puts the only reader of an initial version before every writer of the key.
        int reader = problem.readers.item(problem.readers.first(initial));
        int writers = problem.keyFirst[key + 1] - initial - 1;
        pairs =
            Arrays.copyOf(
                pairs, size + writers > pairs.length ? 2 * (size + writers) : pairs.length);
        for (int v = 1; v <= writers; v++) {
          pairs[size++] = pair(reader, problem.writer[initial + v]);
        }
      }
    }
    pairs = Arrays.copyOf(pairs, size);
    Arrays.sort(pairs);
    return pairs;
  }

  private void addEdges(EdgeList edges, long[] reads, IntList starts, IntList ends) {
    for (int e = 0; e < edges.size(); e++) {
      int from = unitOf[edges.from(e)];
      int to = unitOf[edges.to(e)];
      boolean counts = from != Polygraph.NONE && to != Polygraph.NONE && from != to;
      if (counts && Arrays.binarySearch(reads, pair(from, to)) < 0) {
        starts.add(from);
        ends.add(to);
      }
    }
  }

  private static long pair(int first, int second) {
    return ((long) first << 32) | (second & 0xffff_ffffL);
  }

  int count() {
    return start.length;
  }
}
