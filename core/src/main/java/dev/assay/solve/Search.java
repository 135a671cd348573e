package dev.assay.solve;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Conflict-driven search over literals whose meaning a {@link Theory} knows: decide, propagate,
 * learn from each conflict the first unique implication point, jump back (Marques-Silva and
 * Sakallah, IEEE Trans. Computers 48(5), 1999). Variables may be added when all others are decided.
 */
final class Search implements Clauses.Assignment {
  private static final int RESTART_UNIT = 128;
  private static final int CHECK_EVERY = 64;

  /** What literals mean. */
  interface Theory {
    /**
     * Takes a literal to be true. False when that is impossible: then {@code together} holds true
     * literals, this one among them, that cannot all be.
     */
    boolean take(int literal, Ints together);

    /** How much has been taken; for {@link #giveBackTo}. */
    int mark();

    void giveBackTo(int mark);

    /** The literal to try of an open variable, or of another that should go first. */
    int prefer(int variable);

    /** Whether the literals taken are a solution; otherwise variables or clauses were added. */
    boolean isComplete();
  }

  enum Result {
    FOUND,
    REFUTED,
    EXPIRED
  }

  private final Theory theory;
  private final BooleanSupplier expired;
  private final Clauses clauses = new Clauses();
  private final VariableHeap heap = new VariableHeap();
  private byte[] value = new byte[128];
  private int[] level = new int[64];
  private int[] reason = new int[64];
  private boolean[] seen = new boolean[64];
  private int variables;
  private final Ints trail = new Ints(64);
  private final Ints levelStart = new Ints(16);
  private final Ints marks = new Ints(64);
  private int toPropagate;
  private int toTake;
  private boolean contradiction;
  private final Ints conflict = new Ints(16);
  private final Ints learned = new Ints(16);

  /** Clauses to add: for each its size, then its literals. */
  private final Ints lemmas = new Ints(16);

  private long conflicts;
  private long decisions;

  Search(Theory theory, BooleanSupplier expired) {
    this.theory = theory;
    this.expired = expired;
  }

  int addVariable() {
    if (variables == level.length) {
      value = Arrays.copyOf(value, variables * 4);
      level = Arrays.copyOf(level, variables * 2);
      reason = Arrays.copyOf(reason, variables * 2);
      seen = Arrays.copyOf(seen, variables * 2);
    }
    clauses.addVariable();
    heap.addVariable();
    return variables++;
  }

  /** Takes note of a clause, to be added when all decisions have been taken back. */
  void addLemma(Ints literals) {
    lemmas.add(literals.size());
    for (int i = 0; i < literals.size(); i++) {
      lemmas.add(literals.get(i));
    }
  }

  private void addLemmas() {
    if (lemmas.size() == 0) {
      return;
    }
    backTo(0);
    Ints clause = new Ints(8);
    for (int at = 0; at < lemmas.size(); at += lemmas.get(at) + 1) {
      clause.clear();
      boolean isTrue = false;
      for (int i = at + 1; i <= at + lemmas.get(at); i++) {
        isTrue |= value(lemmas.get(i)) > 0;
        if (value(lemmas.get(i)) == 0) {
          clause.add(lemmas.get(i));
        }
      }
      if (!isTrue) {
        addClause(clause);
      }
    }
    lemmas.clear();
  }

  /** Adds a clause while nothing is decided. */
  void addClause(Ints literals) {
    if (literals.size() == 0) {
      contradiction = true;
    } else if (literals.size() == 1) {
      if (value(literals.get(0)) < 0) {
        contradiction = true;
      } else if (value(literals.get(0)) == 0) {
        imply(literals.get(0), Polygraph.NONE);
      }
    } else {
      clauses.add(literals);
    }
  }

  long conflicts() {
    return conflicts;
  }

  long decisions() {
    return decisions;
  }

  int variables() {
    return variables;
  }

  @Override
  public int value(int literal) {
    return value[literal];
  }

  @Override
  public void imply(int literal, int because) {
    value[literal] = 1;
    value[literal ^ 1] = -1;
    level[literal >> 1] = levelStart.size();
    reason[literal >> 1] = because;
    trail.add(literal);
  }

  Result run() {
    long untilRestart = RESTART_UNIT;
    int restarts = 1;
    for (long step = 0; !contradiction; step++) {
      if (step % CHECK_EVERY == 0 && expired.getAsBoolean()) {
        return Result.EXPIRED;
      }
      if (!propagate()) {
        conflicts++;
        untilRestart--;
        if (levelStart.size() == 0) {
          return Result.REFUTED;
        }
        learn();
      } else if (untilRestart <= 0) {
        untilRestart = (long) RESTART_UNIT * luby(++restarts);
        backTo(0);
      } else if (!decide()) {
        if (theory.isComplete()) {
          return Result.FOUND;
        }
        if (expired.getAsBoolean()) {
          return Result.EXPIRED;
        }
        addLemmas();
      }
    }
    return Result.REFUTED;
  }

  /** 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … */
  private static int luby(int index) {
    int i = index;
    while (true) {
      int power = 32 - Integer.numberOfLeadingZeros(i);
      if (i == (1 << power) - 1) {
        return 1 << (power - 1);
      }
      i -= (1 << (power - 1)) - 1;
    }
  }

  /** Decides a variable; false when all are decided. */
  private boolean decide() {
    while (!heap.isEmpty()) {
      int variable = heap.removeBusiest();
      if (value[2 * variable] == 0) {
        int literal = theory.prefer(variable);
        if (literal >> 1 != variable) {
          heap.insert(variable);
        }
        decisions++;
        levelStart.add(trail.size());
        imply(literal, Polygraph.NONE);
        return true;
      }
    }
    return false;
  }

  /** Draws all consequences; false with {@link #conflict} filled with false literals. */
  private boolean propagate() {
    while (true) {
      while (toPropagate < trail.size()) {
        int clause = clauses.propagate(trail.get(toPropagate++) ^ 1, this);
        if (clause != Polygraph.NONE) {
          conflict.clear();
          for (int i = 0; i < clauses.size(clause); i++) {
            conflict.add(clauses.literal(clause, i));
          }
          return false;
        }
      }
      if (toTake == trail.size()) {
        return true;
      }
      marks.truncate(toTake);
      marks.add(theory.mark());
      conflict.clear();
      if (!theory.take(trail.get(toTake++), conflict)) {
        for (int i = 0; i < conflict.size(); i++) {
          conflict.set(i, conflict.get(i) ^ 1);
        }
        return false;
      }
    }
  }

  /** Learns a clause from the conflict, jumps back and asserts its first literal. */
  private void learn() {
    learned.clear();
    learned.add(0);
    int open = 0;
    int at = trail.size() - 1;
    int literal = Polygraph.NONE;
    Ints from = conflict;
    do {
      for (int i = 0; i < from.size(); i++) {
        int other = from.get(i);
        int variable = other >> 1;
        if (other != literal && !seen[variable] && level[variable] > 0) {
          seen[variable] = true;
          heap.bump(variable);
          if (level[variable] == levelStart.size()) {
            open++;
          } else {
            learned.add(other);
          }
        }
      }
      while (!seen[trail.get(at) >> 1]) {
        at--;
      }
      literal = trail.get(at--);
      seen[literal >> 1] = false;
      open--;
      if (open > 0) {
        fill(from, reason[literal >> 1]);
      }
    } while (open > 0);
    learned.set(0, literal ^ 1);
    for (int i = 1; i < learned.size(); i++) {
      seen[learned.get(i) >> 1] = false;
    }
    heap.decay();
    assertLearned();
  }

  private void fill(Ints target, int clause) {
    target.clear();
    for (int i = 0; i < clauses.size(clause); i++) {
      target.add(clauses.literal(clause, i));
    }
  }

  private void assertLearned() {
    if (learned.size() == 1) {
      backTo(0);
      imply(learned.get(0), Polygraph.NONE);
      return;
    }
    int latest = 1;
    for (int i = 2; i < learned.size(); i++) {
      if (level[learned.get(i) >> 1] > level[learned.get(latest) >> 1]) {
        latest = i;
      }
    }
    int second = learned.get(latest);
    learned.set(latest, learned.get(1));
    learned.set(1, second);
    backTo(level[second >> 1]);
    imply(learned.get(0), clauses.add(learned));
  }

  private void backTo(int target) {
    if (levelStart.size() <= target) {
      return;
    }
    int keep = levelStart.get(target);
    if (keep < toTake) {
      theory.giveBackTo(marks.get(keep));
    }
    while (trail.size() > keep) {
      int literal = trail.removeLast();
      value[literal] = 0;
      value[literal ^ 1] = 0;
      heap.insert(literal >> 1);
    }
    levelStart.truncate(target);
    toPropagate = Math.min(toPropagate, keep);
    toTake = Math.min(toTake, keep);
  }
}
