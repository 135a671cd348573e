package dev.assay.check.weak;

import dev.assay.check.Budget;

/** Limits the steps and the time spent on naming the instances found. */
final class Effort {
  /** Maximum number of steps, some tenths of a second; makes reports deterministic. */
  private static final long MAX_STEPS = 1 << 26;

  private static final int AT_A_TIME = 1 << 12;

  private final Budget budget;
  private final OrderSearch search;
  private final long before;
  private long steps;
  private long sinceLook;
  private boolean spent;

  Effort(Budget budget, OrderSearch search) {
    this.budget = budget;
    this.search = search;
    this.before = search.steps();
  }

  /** Counts an instance whose reader has this many operations. */
  void lookAt(int operations) {
    steps += operations;
    sinceLook += operations;
  }

  boolean isSpent() {
    if (sinceLook >= AT_A_TIME) {
      sinceLook = 0;
      spent |= budget.expired();
    }
    return spent || steps + search.steps() - before > MAX_STEPS;
  }
}
