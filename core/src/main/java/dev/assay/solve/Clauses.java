package dev.assay.solve;

import dev.assay.graph.IntList;
import java.util.Arrays;

/**
 * Clauses with two watched literals each. The negation of a literal differs in the last bit.
 *
 * <p>Learned clauses have a literal block distance (Audemard and Simon, IJCAI 2009) and an activity
 * (Eén and Sörensson, SAT 2003). {@link #reduce} deletes the worse half of them and moves the rest
 * together, so that memory is bounded however long a search takes.
 */
final class Clauses {
  /**
   * The header of a clause in the arena: size, distance (0 if not learned), activity; the literals
   * follow.
   */
  private static final int HEADER = 3;

  private static final int GIVEN = 0;
  private static final float RESCALE = 1e20f;
  private static final float DECAY = 0.999f;

  private IntList arena = new IntList(256);
  private IntList learned = new IntList(64);
  private long learnedLiterals;
  private float increment = 1;
  private IntList[] watches = new IntList[128];
  private int literals;

  void addVariable() {
    if (literals + 2 > watches.length) {
      watches = Arrays.copyOf(watches, watches.length * 2);
    }
    watches[literals++] = new IntList(4);
    watches[literals++] = new IntList(4);
  }

  /** Adds a clause of at least two literals, of which the first two are watched. */
  int add(IntList clause) {
    return add(clause, GIVEN);
  }

  /**
   * Adds a learned clause, which may be deleted.
   *
   * @param distance the number of decision levels of its literals
   */
  int addLearned(IntList clause, int distance) {
    int number = add(clause, Math.max(1, distance));
    learned.add(number);
    learnedLiterals += clause.size();
    bump(number);
    return number;
  }

  private int add(IntList clause, int distance) {
    int number = arena.size();
    arena.add(clause.size());
    arena.add(distance);
    arena.add(0);
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
    return arena.get(clause + HEADER + index);
  }

  private void setLiteral(int clause, int index, int literal) {
    arena.set(clause + HEADER + index, literal);
  }

  private int distance(int clause) {
    return arena.get(clause + 1);
  }

  private float activity(int clause) {
    return Float.intBitsToFloat(arena.get(clause + 2));
  }

  private void setActivity(int clause, float activity) {
    arena.set(clause + 2, Float.floatToRawIntBits(activity));
  }

  /** The number of learned clauses that are kept. */
  int learnedCount() {
    return learned.size();
  }

  /** The number of literals in learned clauses that are kept. */
  long learnedLiterals() {
    return learnedLiterals;
  }

  /** Raises the activity of a clause that took part in a conflict. */
  void bump(int clause) {
    if (distance(clause) == GIVEN) {
      return;
    }
    setActivity(clause, activity(clause) + increment);
    if (activity(clause) > RESCALE) {
      for (int i = 0; i < learned.size(); i++) {
        setActivity(learned.get(i), activity(learned.get(i)) / RESCALE);
      }
      increment /= RESCALE;
    }
  }

  /** Makes earlier conflicts count less. */
  void decay() {
    increment /= DECAY;
  }

  /** The current assignment, and what to do with unit and false clauses. */
  interface Assignment {
    /** 1 for true, −1 for false, 0 for open. */
    int value(int literal);

    /** The level at which a literal that is not open was decided or implied. */
    int level(int literal);

    void imply(int literal, int clause);

    /** The clause that implied a literal that is true, or −1. */
    int reason(int literal);

    /** Called when the clause that implied a literal has moved. */
    void setReason(int literal, int clause);
  }

  /**
   * Deletes the worse half of the learned clauses, but none that is a reason. Clauses of few levels
   * are better, and of equal ones those that took part in conflicts lately.
   */
  void reduce(Assignment assignment) {
    long[] worstFirst = new long[learned.size()];
    for (int i = 0; i < worstFirst.length; i++) {
      int clause = learned.get(i);
      // Activities are not negative, so their bit patterns sort like the numbers.
      int rank = Float.floatToRawIntBits(activity(clause)) >>> 8;
      int worse = Math.min(distance(clause), Byte.MAX_VALUE);
      worstFirst[i] = ((long) -worse << 56) | ((long) rank << 32) | i;
    }
    Arrays.sort(worstFirst);
    boolean[] deleted = new boolean[learned.size()];
    for (int i = 0; i < worstFirst.length / 2; i++) {
      int index = (int) worstFirst[i];
      int clause = learned.get(index);
      deleted[index] = assignment.reason(literal(clause, 0)) != clause;
    }
    compact(deleted, assignment);
  }

  /**
   * Compacts the arena. The old header of a clause then holds its new address in place of the
   * activity.
   */
  private void compact(boolean[] deleted, Assignment assignment) {
    IntList old = arena;
    arena = new IntList(old.size());
    IntList kept = new IntList(learned.size());
    learnedLiterals = 0;
    int nextLearned = 0;
    for (int clause = 0; clause < old.size(); clause += HEADER + old.get(clause)) {
      boolean isLearned = old.get(clause + 1) != GIVEN;
      int now = arena.size();
      if (isLearned && deleted[nextLearned++]) {
        now = Polygraph.NONE;
      } else {
        for (int i = 0; i < HEADER + old.get(clause); i++) {
          arena.add(old.get(clause + i));
        }
        if (isLearned) {
          kept.add(now);
          learnedLiterals += old.get(clause);
        }
        if (assignment.reason(old.get(clause + HEADER)) == clause) {
          assignment.setReason(old.get(clause + HEADER), now);
        }
      }
      old.set(clause + 2, now);
    }
    learned = kept;
    for (int literal = 0; literal < literals; literal++) {
      IntList watching = watches[literal];
      int size = 0;
      for (int i = 0; i < watching.size(); i++) {
        int now = old.get(watching.get(i) + 2);
        if (now != Polygraph.NONE) {
          watching.set(size++, now);
        }
      }
      watching.truncate(size);
    }
  }

  /**
   * Visits the clauses that watch a literal that became false; returns a conflicting clause, or −1.
   */
  int propagate(int falseLiteral, Assignment assignment) {
    IntList watching = watches[falseLiteral];
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
      setLiteral(clause, 0, literal(clause, 1));
      setLiteral(clause, 1, falseLiteral);
    }
    if (assignment.value(literal(clause, 0)) > 0) {
      return false;
    }
    for (int i = 2; i < size(clause); i++) {
      int literal = literal(clause, i);
      if (assignment.value(literal) >= 0) {
        setLiteral(clause, 1, literal);
        setLiteral(clause, i, falseLiteral);
        watches[literal].add(clause);
        return true;
      }
    }
    return assignment.value(literal(clause, 0)) == 0 && watchLatest(clause, assignment);
  }

  /**
   * Watches the literal that became false at the highest level instead of the second one, because
   * backtracking frees it first; returns whether it changed.
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
    setLiteral(clause, latest, literal(clause, 1));
    setLiteral(clause, 1, literal);
    watches[literal].add(clause);
    assignment.imply(literal(clause, 0), clause);
    return true;
  }
}
