package dev.assay.infer.predicates;

import java.util.function.BooleanSupplier;

/**
 * Checks the budget periodically and throws {@link Expired} when it is exhausted. A predicate
 * operation may examine every version of every row, so the budget must be able to end anywhere. The
 * caller catches the exception and discards the unfinished work.
 */
public final class Deadline {
  /** Never expires. */
  public static final Deadline NONE = new Deadline(() -> false);

  /** Steps between two checks of the budget: well below a millisecond of work. */
  private static final int STEPS = 4096;

  private final BooleanSupplier expired;
  private int left;

  /** The budget is exhausted. */
  public static final class Expired extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Expired() {
      super(null, null, false, false);
    }
  }

  public Deadline(BooleanSupplier expired) {
    this.expired = expired;
  }

  /**
   * Counts steps of work: versions compared, rows visited.
   *
   * @throws Expired if there is no time left
   */
  public void spend(int steps) {
    left -= steps;
    if (left < 0) {
      left = STEPS;
      if (expired.getAsBoolean()) {
        throw new Expired();
      }
    }
  }
}
