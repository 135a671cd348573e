package dev.assay.solve;

import dev.assay.graph.IntList;
import java.util.Arrays;

/**
 * Removes literals of a learned clause that its other literals imply, recursively (Sörensson and
 * Biere, "Minimizing Learned Clauses", SAT 2009).
 */
final class Minimiser {
  private final Clauses clauses;
  private final Clauses.Assignment assignment;

  /** The variables of the clause and of literals found to be implied by it. */
  private boolean[] follows = new boolean[64];

  private final IntList marked = new IntList(16);
  private final IntList toExplain = new IntList(16);

  /** For each level the last clause that had a literal there. */
  private int[] clauseAtLevel = new int[64];

  private int clauseCount;

  Minimiser(Clauses clauses, Clauses.Assignment assignment) {
    this.clauses = clauses;
    this.assignment = assignment;
  }

  /** Shortens a clause of false literals; its first literal stays. */
  void minimise(IntList clause) {
    marked.clear();
    for (int i = 0; i < clause.size(); i++) {
      mark(clause.get(i));
    }
    int kept = 1;
    for (int i = 1; i < clause.size(); i++) {
      if (!isImplied(clause.get(i))) {
        clause.set(kept++, clause.get(i));
      }
    }
    clause.truncate(kept);
    unmark(0);
  }

  private void mark(int literal) {
    int variable = literal >> 1;
    if (variable >= follows.length) {
      follows = Arrays.copyOf(follows, 2 * variable);
    }
    follows[variable] = true;
    marked.add(literal);
  }

  private void unmark(int keep) {
    while (marked.size() > keep) {
      follows[marked.removeLast() >> 1] = false;
    }
  }

  private boolean isMarked(int literal) {
    return literal >> 1 < follows.length && follows[literal >> 1];
  }

  /** Whether marked literals imply that this one is false; if so, marks those on the way too. */
  private boolean isImplied(int literal) {
    if (assignment.reason(literal ^ 1) == Polygraph.NONE) {
      return false;
    }
    int before = marked.size();
    toExplain.clear();
    toExplain.add(literal);
    while (toExplain.size() > 0) {
      int reason = assignment.reason(toExplain.removeLast() ^ 1);
      // The first literal of a reason is the one that it implies.
      for (int i = 1; i < clauses.size(reason); i++) {
        int other = clauses.literal(reason, i);
        if (isMarked(other) || assignment.level(other) == 0) {
          continue;
        }
        if (assignment.reason(other ^ 1) == Polygraph.NONE) {
          unmark(before);
          return false;
        }
        mark(other);
        toExplain.add(other);
      }
    }
    return true;
  }

  /** The number of levels that the literals of a clause have. */
  int distance(IntList clause) {
    clauseCount++;
    int distance = 0;
    for (int i = 0; i < clause.size(); i++) {
      int level = assignment.level(clause.get(i));
      if (level >= clauseAtLevel.length) {
        clauseAtLevel = Arrays.copyOf(clauseAtLevel, 2 * level);
      }
      if (clauseAtLevel[level] != clauseCount) {
        clauseAtLevel[level] = clauseCount;
        distance++;
      }
    }
    return distance;
  }
}
