package dev.assay.solve;

import java.util.function.BooleanSupplier;

/**
 * What saturation leaves of a problem to search. For comparing solvers: another one can search with
 * the theory of {@link #solver}.
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

  /** The number of pairs of writers that are still open. */
  public long openPairs() {
    return Constraints.of(problem, saturation).pairs();
  }

  /** A solver that has not started. */
  public OrderSolver solver(BooleanSupplier expired) {
    int[] guess = new Schedule(problem, saturation.added(), saturation.order(), expired).run();
    return new OrderSolver(problem, saturation.added(), guess, expired);
  }
}
