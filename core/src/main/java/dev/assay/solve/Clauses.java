package dev.assay.solve;

import java.util.Arrays;

/** Clauses with two watched literals each. A literal's opposite differs in the last bit. */
final class Clauses {
  /** For each clause its size, then its literals. */
  private final Ints arena = new Ints(256);

  private Ints[] watches = new Ints[128];
  private int literals;

  void addVariable() {
    if (literals + 2 > watches.length) {
      watches = Arrays.copyOf(watches, watches.length * 2);
    }
    watches[literals++] = new Ints(4);
    watches[literals++] = new Ints(4);
  }

  /** Adds a clause of at least two literals, of which the first two are watched. */
  int add(Ints clause) {
    int number = arena.size();
    arena.add(clause.size());
    for (int i = 0; i < clause.size(); i++) {
      arena.add(clause.get(i));
    }
    watches[clause.get(0)].add(number);
    watches[clause.get(1)].add(number);
    return number;
  }

  int size(int clause) {
    return arena.get(clause);
  }

  int literal(int clause, int index) {
    return arena.get(clause + 1 + index);
  }

  /** What to do with clauses that a false literal leaves little choice. */
  interface Assignment {
    /** 1 for true, −1 for false, 0 for open. */
    int value(int literal);

    /** The level at which a literal that is not open was decided or implied. */
    int level(int literal);

    void imply(int literal, int clause);
  }

  /** Visits the clauses that watch a literal that became false; a clause all false, or −1. */
  int propagate(int falseLiteral, Assignment assignment) {
    Ints watching = watches[falseLiteral];
    int kept = 0;
    int conflict = Polygraph.NONE;
    for (int i = 0; i < watching.size(); i++) {
      int clause = watching.get(i);
      if (conflict != Polygraph.NONE || !rewatch(clause, falseLiteral, assignment)) {
        watching.set(kept++, clause);
        if (conflict == Polygraph.NONE) {
          int other = literal(clause, 0);
          int value = assignment.value(other);
          if (value < 0) {
            conflict = clause;
          } else if (value == 0) {
            assignment.imply(other, clause);
          }
        }
      }
    }
    watching.truncate(kept);
    return conflict;
  }

  /** Puts the false literal second and tries to watch another instead. */
  private boolean rewatch(int clause, int falseLiteral, Assignment assignment) {
    if (literal(clause, 0) == falseLiteral) {
      arena.set(clause + 1, literal(clause, 1));
      arena.set(clause + 2, falseLiteral);
    }
    if (assignment.value(literal(clause, 0)) > 0) {
      return false;
    }
    for (int i = 2; i < size(clause); i++) {
      int literal = literal(clause, i);
      if (assignment.value(literal) >= 0) {
        arena.set(clause + 2, literal);
        arena.set(clause + 1 + i, falseLiteral);
        watches[literal].add(clause);
        return true;
      }
    }
    return assignment.value(literal(clause, 0)) == 0 && watchLatest(clause, assignment);
  }

  /**
   * Watches the literal that became false at the highest level instead of the second one, for that
   * is the first to be open again; whether it is another.
   */
  private boolean watchLatest(int clause, Assignment assignment) {
    int latest = 1;
    for (int i = 2; i < size(clause); i++) {
      if (assignment.level(literal(clause, i)) > assignment.level(literal(clause, latest))) {
        latest = i;
      }
    }
    if (latest == 1) {
      return false;
    }
    int literal = literal(clause, latest);
    arena.set(clause + 1 + latest, literal(clause, 1));
    arena.set(clause + 2, literal);
    watches[literal].add(clause);
    assignment.imply(literal(clause, 0), clause);
    return true;
  }
}
