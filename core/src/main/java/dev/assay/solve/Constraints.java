package dev.assay.solve;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;

/**
 * The number of open constraints of a problem before and after saturation.
 *
 * <p>A constraint is a pair of writers of a key whose order is open, or a read that saw one of
 * several versions. Constraints are independent if no cycle can lead through both, whatever is
 * decided: if they lie in different strongly connected components of the known edges together with
 * both orders of every open pair.
 *
 * @param pairs open pairs of writers of a key, for each key
 * @param choices reads that saw one of several versions
 * @param parts independent parts of what is open
 * @param largestPart pairs in the part that has most of them
 */
public record Constraints(long pairs, int choices, int parts, long largestPart) {
  /** The constraints of a problem before saturation. */
  public static Constraints before(Polygraph problem) {
    long pairs = 0;
    for (int key = 0; key < problem.keys(); key++) {
      long writers = problem.keyFirst[key + 1] - problem.keyFirst[key] - 1;
      pairs += writers * (writers - 1) / 2;
    }
    int choices = problem.choiceReader.length;
    return new Constraints(pairs, choices, pairs + choices > 0 ? 1 : 0, pairs);
  }

  /** Counts what a saturation that made clocks has left. */
  static Constraints of(Polygraph problem, Saturation saturation) {
    return new Counting(problem, saturation).run();
  }

  private static final class Counting {
    private final Polygraph problem;
    private final Saturation saturation;
    private final WritersByLane writers;

    /** For each writer the number of open pairs with it; the sum is twice the number of pairs. */
    private final long[] openOf;

    private final EdgeList edges = new EdgeList();

    Counting(Polygraph problem, Saturation saturation) {
      this.problem = problem;
      this.saturation = saturation;
      this.writers = saturation.writers();
      this.openOf = new long[problem.transactions];
    }

    Constraints run() {
      edges.addAll(problem.known);
      edges.addAll(saturation.added());
      for (int version = 0; version < problem.writer.length; version++) {
        if (problem.writer[version] != Polygraph.INITIAL) {
          addPairs(version);
        }
      }
      int choices = problem.choiceReader.length;
      for (int choice = 0; choice < choices; choice++) {
        addChoice(choice);
      }
      Components components = Components.of(problem.nodes, edges);
      long[] openIn = new long[components.count()];
      boolean[] isPart = new boolean[components.count()];
      for (int txn = 0; txn < problem.transactions; txn++) {
        openIn[components.of(problem.commit(txn))] += openOf[txn];
      }
      for (int reader : problem.choiceReader) {
        isPart[components.of(problem.begin(reader))] = true;
      }
      long twice = 0;
      long largest = 0;
      int parts = 0;
      for (int c = 0; c < openIn.length; c++) {
        twice += openIn[c];
        largest = Math.max(largest, openIn[c]);
        parts += openIn[c] > 0 || isPart[c] ? 1 : 0;
      }
      return new Constraints(twice / 2, choices, parts, largest / 2);
    }

    /**
     * Adds both orders of every open pair with one version. The other writers are consecutive in a
     * lane, so an edge to the first and one from the last put them all into one component.
     */
    private void addPairs(int version) {
      int txn = problem.writer[version];
      int key = problem.keyOf[version];
      boolean committed = !problem.shape.exclusive;
      for (int g = writers.firstGroup(key); g < writers.endGroup(key); g++) {
        int reached = saturation.reached(problem.commit(txn), writers.lane(g));
        int from = writers.before(g, reached, committed);
        int to = firstAfter(g, from, txn, committed);
        if (from < to) {
          int first = problem.writer[writers.version(g, from)];
          int last = problem.writer[writers.version(g, to - 1)];
          openOf[txn] += to - from;
          edges.add(problem.commit(last), problem.versionTarget(txn), 0, 0);
          edges.add(problem.commit(txn), problem.versionTarget(first), 0, 0);
          if (problem.end[version] != Polygraph.NONE) {
            edges.add(problem.end[version], problem.commit(first), 0, 0);
          }
        }
      }
    }

    /** The first place of a group, from a given one, whose writer follows a transaction. */
    private int firstAfter(int group, int from, int txn, boolean committed) {
      int low = from;
      int high = writers.size(group);
      while (low < high) {
        int middle = (low + high) >>> 1;
        int other = problem.writer[writers.version(group, middle)];
        if (saturation.precedes(txn, committed, problem.commit(other))) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }

    private void addChoice(int choice) {
      int begin = problem.begin(problem.choiceReader[choice]);
      for (int i = problem.choices.first(choice); i < problem.choices.end(choice); i++) {
        int key = problem.keyOf[problem.choices.item(i)];
        for (int v = problem.keyFirst[key] + 1; v < problem.keyFirst[key + 1]; v++) {
          edges.add(begin, problem.commit(problem.writer[v]), 0, 0);
        }
        int source = problem.writer[problem.choices.item(i)];
        if (source != Polygraph.INITIAL) {
          edges.add(problem.commit(source), begin, 0, 0);
        }
      }
    }
  }
}
