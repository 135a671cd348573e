package dev.assay.solve;

import java.util.function.BooleanSupplier;

/**
 * What saturation leaves of a problem, as the start of a search. For comparisons: another solver
 * can search with the theory of {@link #solver}.
 */
public final class Residue {
  private final Polygraph problem;
  private final Saturation saturation;

  private Residue(Polygraph problem, Saturation saturation) {
    this.problem = problem;
    this.saturation = saturation;
  }

  /** Saturates; null when that settles the problem. */
  public static Residue of(Polygraph problem, int[] preferred) {
    Saturation saturation = new Saturation(problem, () -> false);
    return saturation.run(problem.nodesOf(preferred), Integer.MAX_VALUE - 8)
            == Saturation.Outcome.DONE
        ? new Residue(problem, saturation)
        : null;
  }

  /** How many pairs of writers have no order yet. */
  public long openPairs() {
    return Constraints.of(problem, saturation).pairs();
  }

  /** A solver that has not begun. */
  public OrderSolver solver(BooleanSupplier expired) {
    int[] guess = new Schedule(problem, saturation.added(), saturation.order(), expired).run();
    return new OrderSolver(problem, saturation.added(), guess, expired);
  }
}
