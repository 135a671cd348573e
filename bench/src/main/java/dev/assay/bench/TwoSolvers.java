package dev.assay.bench;

import dev.assay.solve.OrderSolver;
import dev.assay.solve.Residue;
import dev.assay.solve.Search;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.minisat.core.DataStructureFactory;
import org.sat4j.minisat.core.IPhaseSelectionStrategy;
import org.sat4j.minisat.core.Solver;
import org.sat4j.minisat.core.SolverStats;
import org.sat4j.specs.TimeoutException;

/**
 * What saturation leaves of a problem, given to {@link Search} and to Sat4j. Both have the same
 * theory, prefer the same literals and get variables only where the current order is wrong.
 */
final class TwoSolvers {
  /**
   * What one solver did.
   *
   * @param answer found, refuted or expired
   * @param cpuSeconds of this thread, for the search alone
   */
  record Outcome(String answer, double cpuSeconds, int variables, long decisions, long conflicts) {}

  private final Residue residue;
  private final int seconds;

  TwoSolvers(Residue residue, int seconds) {
    this.residue = residue;
    this.seconds = seconds;
  }

  private OrderSolver theory() {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    return residue.solver(() -> System.nanoTime() > end);
  }

  Outcome ours() {
    OrderSolver solver = theory();
    long start = cpu();
    Search.Result result = solver.run(Long.MAX_VALUE);
    double spent = (cpu() - start) / 1e9;
    Search search = solver.search();
    String answer = result.name().toLowerCase(Locale.ROOT);
    return new Outcome(answer, spent, search.variables(), search.decisions(), search.conflicts());
  }

  /** Solves, adds variables for what the order found is wrong about, and solves again. */
  Outcome sat4j() {
    OrderSolver theory = theory();
    Solver<DataStructureFactory> solver = SolverFactory.newMiniLearningHeap();
    solver.setTimeout(seconds);
    solver.getOrder().setPhaseSelectionStrategy(new PreferredPhase(theory));
    AcyclicConstraint constraint = new AcyclicConstraint(solver.getVocabulary(), theory);
    long start = cpu();
    String answer = "found";
    try {
      solver.addConstr(constraint);
      while (!theory.isComplete() && answer.equals("found")) {
        solver.newVar(theory.search().variables());
        for (int v = constraint.watched(); v < theory.search().variables(); v++) {
          solver.registerLiteral(v + 1);
        }
        constraint.watch(theory.search().variables());
        answer = solver.isSatisfiable() ? "found" : "refuted";
      }
    } catch (TimeoutException e) {
      answer = "expired";
    }
    double spent = (cpu() - start) / 1e9;
    // Sat4j counts on from one call to the next.
    SolverStats stats = solver.getStats();
    return new Outcome(
        answer, spent, theory.search().variables(), stats.getDecisions(), stats.getConflicts());
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** The current order decides what to try first, as in {@link Search}. */
  private static final class PreferredPhase implements IPhaseSelectionStrategy {
    private static final long serialVersionUID = 1L;

    private final transient Search.Theory theory;

    PreferredPhase(Search.Theory theory) {
      this.theory = theory;
    }

    @Override
    public int select(int variable) {
      return theory.prefer(variable - 1) + 2;
    }

    @Override
    public void init(int variables) {}

    @Override
    public void init(int variable, int literal) {}

    @Override
    public void updateVar(int literal) {}

    @Override
    public void assignLiteral(int literal) {}

    @Override
    public void updateVarAtDecisionLevel(int literal) {}
  }
}
