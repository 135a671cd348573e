package dev.assay.solve;

/** Time and counts by stage, summed over several decisions. */
public final class Effort {
  static final int CONSTRUCT = 0;
  static final int SATURATE = 1;
  static final int ENCODE = 2;
  static final int SOLVE = 3;
  static final int EXPLAIN = 4;
  private static final String[] NAMES = {"construct", "saturate", "encode", "solve", "explain"};

  private final long[] nanos = new long[NAMES.length];
  private long sweeps;
  private long forced;
  private long open;
  private long decisions;
  private long conflicts;
  private long guesses;

  /** Adds the time since a moment to a stage; returns now. */
  long lap(int stage, long since) {
    long now = System.nanoTime();
    nanos[stage] += now - since;
    return now;
  }

  /** Adds the time since a moment to making the problem. */
  public void constructed(long since) {
    lap(CONSTRUCT, since);
  }

  /** Adds the time since a moment to the search for an order. */
  public void searched(long since) {
    lap(SOLVE, since);
  }

  /** Adds the time since a moment to explaining. */
  public void explained(long since) {
    lap(EXPLAIN, since);
  }

  void saturated(int sweepCount, int edges) {
    sweeps += sweepCount;
    forced += edges;
  }

  void searched(int variables, long decided, long conflicting) {
    open += variables;
    decisions += decided;
    conflicts += conflicting;
  }

  void guessed() {
    guesses++;
  }

  public int stages() {
    return NAMES.length;
  }

  public String name(int stage) {
    return NAMES[stage];
  }

  public long millis(int stage) {
    return nanos[stage] / 1_000_000;
  }

  /** Edges that saturation added. */
  public long forced() {
    return forced;
  }

  /** Pairs of writers and choices that the search had to decide. */
  public long open() {
    return open;
  }

  /** Conflicts of the search. */
  public long conflicts() {
    return conflicts;
  }

  /** Orders that were guessed from scratch. */
  long guesses() {
    return guesses;
  }

  @Override
  public String toString() {
    return "%d sweeps, %d edges forced, %d pairs open, %d decisions, %d conflicts"
        .formatted(sweeps, forced, open, decisions, conflicts);
  }
}
