package dev.assay.check.strong;

import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import dev.assay.solve.Polygraph;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * Some transactions at a level, stated as a problem of orders again and again, each time with fewer
 * choices for ambiguous reads, until saturation rules out no more of them.
 */
record Stated(Instance instance, Model model, Choices choices, BooleanSupplier expired) {
  /** Asks a decision for something until the problem need not be stated anew. */
  Decision.Result ask(
      BiFunction<Decision, int[], Decision.Result> what, int[] order, Effort spent) {
    while (true) {
      long start = System.nanoTime();
      choices.reset();
      Polygraph problem = Encoding.of(instance, model, choices, expired);
      spent.constructed(start);
      if (problem == null) {
        return new Decision.Result.Expired();
      }
      Decision.Result result = what.apply(new Decision(problem, expired, spent), order);
      if (!(result instanceof Decision.Result.Narrowed narrowed)) {
        return result;
      }
      choices.narrow(narrowed.left());
    }
  }
}
