package dev.assay.solve;

import dev.assay.graph.IntList;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Conflict-driven clause learning (CDCL) over literals whose meaning a {@link Theory} defines:
 * decide, propagate, learn the first unique implication point from each conflict, jump back
 * (Marques-Silva and Sakallah, IEEE Trans. Computers 48(5), 1999). Learned clauses are minimised
 * ({@link Minimiser}) and in time deleted ({@link Clauses#reduce}). Variables may be added when all
 * others are decided.
 *
 * <p>A jump far back would undo thousands of unrelated decisions, which would be made again.
 * Instead only the last decision of the conflict is undone (chronological backtracking), and what
 * the new clause implies is put on the trail after decisions of higher levels than its own (Nadel
 * and Ryvchin, SAT 2018). So the levels on the trail do not always ascend.
 */
public final class Search implements Clauses.Assignment {
  private static final int RESTART_UNIT = 128;
  private static final int CHECK_EVERY = 64;

  /** Maximum number of levels to jump back over. */
  static final int MAX_JUMP = 100;

  /** Maximum number of learned clauses kept, in addition to two per variable. */
  static final int MAX_LEARNED = 10_000;

  /** Maximum number of literals in them; more only if half of the clauses are reasons. */
  private static final long MAX_LEARNED_LITERALS = 4_000_000;

  /** The meaning of literals. */
  public interface Theory {
    /**
     * Asserts a literal. False if that is impossible: then {@code together} holds true literals,
     * including this one, that are inconsistent.
     */
    boolean take(int literal, IntList together);

    /** The current state, for {@link #giveBackTo}. */
    int mark();

    void giveBackTo(int mark);

    /** The literal to try of an open variable, or of another that should go first. */
    int prefer(int variable);

    /** Whether the literals asserted are a solution; otherwise variables or clauses were added. */
    boolean isComplete();
  }

  public enum Result {
    FOUND,
    REFUTED,
    EXPIRED
  }

  private final Theory theory;
  private final BooleanSupplier expired;
  private final int longestJump;
  private final int mostLearned;
  private long mostLiterals = MAX_LEARNED_LITERALS;
  private final Clauses clauses = new Clauses();
  private final Minimiser minimiser = new Minimiser(clauses, this);
  private final VariableHeap heap = new VariableHeap();
  private byte[] value = new byte[128];
  private int[] level = new int[64];
  private int[] reason = new int[64];
  private boolean[] seen = new boolean[64];
  private int variables;
  private final IntList trail = new IntList(64);
  private final IntList levelStart = new IntList(16);
  private final IntList marks = new IntList(64);
  private int toPropagate;
  private int toTake;
  private boolean contradiction;

  /** The number of literals asserted, and whether time was up at the last check. */
  private long taken;

  private boolean over;
  private final IntList conflict = new IntList(16);
  private final IntList learned = new IntList(16);

  /** Clauses to add: for each its size, then its literals. */
  private final IntList lemmas = new IntList(16);

  private long conflicts;
  private long decisions;

  Search(Theory theory, BooleanSupplier expired) {
    this(theory, expired, MAX_JUMP, MAX_LEARNED);
  }

  /** With other limits to jumps and to learned clauses. */
  Search(Theory theory, BooleanSupplier expired, int longestJump, int mostLearned) {
    this.theory = theory;
    this.expired = expired;
    this.longestJump = longestJump;
    this.mostLearned = mostLearned;
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

  /** Queues a clause, to be added after backtracking to level 0. */
  void addLemma(IntList literals) {
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
    IntList clause = new IntList(8);
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

  /** Adds a clause at level 0. */
  void addClause(IntList literals) {
    if (literals.size() == 0) {
      contradiction = true;
    } else if (literals.size() == 1) {
      if (value(literals.get(0)) < 0) {
        contradiction = true;
      } else if (value(literals.get(0)) == 0) {
        assign(literals.get(0), Polygraph.NONE, 0);
      }
    } else {
      clauses.add(literals);
    }
  }

  public long conflicts() {
    return conflicts;
  }

  public long decisions() {
    return decisions;
  }

  public int variables() {
    return variables;
  }

  /** The number of learned clauses that are kept. */
  int learnedCount() {
    return clauses.learnedCount();
  }

  /** The literals of the clause learned last. */
  int[] lastLearned() {
    return learned.toArray();
  }

  @Override
  public int value(int literal) {
    return value[literal];
  }

  @Override
  public int level(int literal) {
    return level[literal >> 1];
  }

  @Override
  public int reason(int literal) {
    return value[literal] > 0 ? reason[literal >> 1] : Polygraph.NONE;
  }

  @Override
  public void setReason(int literal, int clause) {
    reason[literal >> 1] = clause;
  }

  @Override
  public void imply(int literal, int because) {
    int highest = 0;
    for (int i = 0; i < clauses.size(because); i++) {
      int other = clauses.literal(because, i);
      if (other != literal) {
        highest = Math.max(highest, level[other >> 1]);
      }
    }
    assign(literal, because, highest);
  }

  private void assign(int literal, int because, int atLevel) {
    value[literal] = 1;
    value[literal ^ 1] = -1;
    level[literal >> 1] = atLevel;
    reason[literal >> 1] = because;
    trail.add(literal);
  }

  /** Searches, up to a maximum number of conflicts. */
  Result run(long mostConflicts) {
    long untilRestart = RESTART_UNIT;
    int restarts = 1;
    for (long step = 0; !contradiction; step++) {
      if (step % CHECK_EVERY == 0 && expired.getAsBoolean()) {
        return Result.EXPIRED;
      }
      boolean consistent = propagate();
      if (over) {
        return Result.EXPIRED;
      }
      if (!consistent) {
        conflicts++;
        untilRestart--;
        if (!learn()) {
          return Result.REFUTED;
        }
        if (conflicts >= mostConflicts) {
          return Result.EXPIRED;
        }
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
        assign(literal, Polygraph.NONE, levelStart.size());
        return true;
      }
    }
    return false;
  }

  /**
   * Propagates all consequences; on a conflict false, with {@link #conflict} filled with false
   * literals.
   */
  private boolean propagate() {
    while (true) {
      while (toPropagate < trail.size()) {
        int clause = clauses.propagate(trail.get(toPropagate++) ^ 1, this);
        if (clause != Polygraph.NONE) {
          clauses.bump(clause);
          fill(conflict, clause);
          return false;
        }
      }
      if (toTake == trail.size() || over) {
        return true;
      }
      over = ++taken % CHECK_EVERY == 0 && expired.getAsBoolean();
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

  /** Learns a clause from the conflict, goes back and asserts its first literal, if possible. */
  private boolean learn() {
    int highest = 0;
    int there = 0;
    for (int i = 0; i < conflict.size(); i++) {
      int itsLevel = level(conflict.get(i));
      there = itsLevel > highest ? 1 : itsLevel == highest ? there + 1 : there;
      highest = Math.max(highest, itsLevel);
    }
    if (highest == 0) {
      return false;
    }
    backTo(highest);
    if (there == 1) {
      // Nothing to learn: the conflict has one literal at its highest level, so it is unit below.
      learned.clear();
      for (int i = 0; i < conflict.size(); i++) {
        learned.add(conflict.get(i));
      }
      putLatest(0);
    } else {
      resolve(highest);
    }
    minimiser.minimise(learned);
    heap.decay();
    clauses.decay();
    assertLearned();
    return true;
  }

  /** Finds the first unique implication point of a conflict at a level. */
  private void resolve(int atLevel) {
    learned.clear();
    learned.add(0);
    int open = 0;
    int at = trail.size() - 1;
    int literal = Polygraph.NONE;
    IntList from = conflict;
    do {
      for (int i = 0; i < from.size(); i++) {
        int other = from.get(i);
        int variable = other >> 1;
        if (other != literal && !seen[variable] && level[variable] > 0) {
          seen[variable] = true;
          heap.bump(variable);
          if (level[variable] == atLevel) {
            open++;
          } else {
            learned.add(other);
          }
        }
      }
      while (!seen[trail.get(at) >> 1] || level(trail.get(at)) < atLevel) {
        at--;
      }
      literal = trail.get(at--);
      seen[literal >> 1] = false;
      open--;
      if (open > 0) {
        clauses.bump(reason[literal >> 1]);
        fill(from, reason[literal >> 1]);
      }
    } while (open > 0);
    learned.set(0, literal ^ 1);
    for (int i = 1; i < learned.size(); i++) {
      seen[learned.get(i) >> 1] = false;
    }
  }

  private void fill(IntList target, int clause) {
    target.clear();
    for (int i = 0; i < clauses.size(clause); i++) {
      target.add(clauses.literal(clause, i));
    }
  }

  /**
   * Moves the literal of the highest level among the learned ones from a place on to that place.
   */
  private void putLatest(int place) {
    int latest = place;
    for (int i = place + 1; i < learned.size(); i++) {
      if (level(learned.get(i)) > level(learned.get(latest))) {
        latest = i;
      }
    }
    int literal = learned.get(latest);
    learned.set(latest, learned.get(place));
    learned.set(place, literal);
  }

  private void assertLearned() {
    int lowest = 0;
    if (learned.size() > 1) {
      putLatest(1);
      lowest = level(learned.get(1));
    }
    int distance = minimiser.distance(learned);
    int conflicting = level(learned.get(0));
    backTo(conflicting - lowest > longestJump ? conflicting - 1 : lowest);
    if (clauses.learnedCount() >= mostLearned + 2 * variables
        || clauses.learnedLiterals() >= mostLiterals) {
      clauses.reduce(this);
      mostLiterals = Math.max(MAX_LEARNED_LITERALS, 2 * clauses.learnedLiterals());
    }
    int because = learned.size() > 1 ? clauses.addLearned(learned, distance) : Polygraph.NONE;
    assign(learned.get(0), because, lowest);
  }

  /** Undoes everything that was decided or implied above a level. */
  private void backTo(int target) {
    if (levelStart.size() <= target) {
      return;
    }
    int keep = levelStart.get(target);
    if (keep < toTake) {
      theory.giveBackTo(marks.get(keep));
    }
    int kept = keep;
    for (int i = keep; i < trail.size(); i++) {
      int literal = trail.get(i);
      if (level(literal) <= target) {
        trail.set(kept++, literal);
      } else {
        value[literal] = 0;
        value[literal ^ 1] = 0;
        heap.insert(literal >> 1);
      }
    }
    trail.truncate(kept);
    levelStart.truncate(target);
    toPropagate = Math.min(toPropagate, keep);
    toTake = Math.min(toTake, keep);
  }
}
