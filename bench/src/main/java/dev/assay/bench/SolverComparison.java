package dev.assay.bench;

import dev.assay.Assay;
import dev.assay.check.strong.Problems;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.solve.Residue;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Assay's search against Sat4j on what saturation leaves of histories. */
final class SolverComparison {
  private static final int SECONDS = Integer.getInteger("assay.bench.seconds", 60);
  private static final List<Level> LEVELS =
      List.of(Level.STRONG_SESSION_SERIALIZABLE, Level.STRONG_SESSION_SNAPSHOT_ISOLATION);

  private SolverComparison() {}

  static void header() {
    String solver = " s | pairs decided | decisions | conflicts |";
    System.out.println("| history | level | open pairs | ours" + solver + " Sat4j" + solver);
    System.out.println("|" + "---|".repeat(11));
  }

  static void rows(String name, Path file) throws ParseException {
    History history = Assay.read(file);
    for (Level level : LEVELS) {
      row(name, history, level);
    }
  }

  static void row(String name, History history, Level level) {
    Problems.Problem problem = Problems.of(history, level);
    Residue residue = Residue.of(problem.polygraph(), problem.preferred());
    String start = "| " + name + " | " + level.id() + " | ";
    if (residue == null) {
      System.out.println(start + "settled by saturation | | | | | | | | |");
      return;
    }
    TwoSolvers solvers = new TwoSolvers(residue, SECONDS);
    // The first run of each warms the JVM up for its second.
    solvers.ours();
    TwoSolvers.Outcome ours = solvers.ours();
    solvers.sat4j();
    TwoSolvers.Outcome other = solvers.sat4j();
    System.out.println(
        start + residue.openPairs() + " | " + cells(ours) + " | " + cells(other) + " |");
  }

  private static String cells(TwoSolvers.Outcome outcome) {
    String time = String.format(Locale.ROOT, "%.3f", outcome.cpuSeconds());
    return String.join(
        " | ",
        outcome.answer().equals("found") ? time : outcome.answer() + " " + time,
        Integer.toString(outcome.variables()),
        Long.toString(outcome.decisions()),
        Long.toString(outcome.conflicts()));
  }
}
