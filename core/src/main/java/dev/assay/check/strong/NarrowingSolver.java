package dev.assay.check.strong;

import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import dev.assay.solve.Polygraph;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * Decides whether some transactions have an order at a level. The problem is encoded again and
 * again, each time with fewer candidates for ambiguous reads, until saturation rules out no more.
 */
record NarrowingSolver(
    Instance instance,
    Model model,
    Choices choices,
    Assumptions assumed,
    long mostConflicts,
    BooleanSupplier expired) {
  NarrowingSolver(Instance instance, Model model, Choices choices, BooleanSupplier expired) {
    this(instance, model, choices, Assumptions.NOTHING, Long.MAX_VALUE, expired);
  }

  /** Repeats a decision until the problem need not be encoded again. */
  Decision.Result ask(
      BiFunction<Decision, int[], Decision.Result> what, int[] order, Effort spent) {
    while (true) {
      long start = System.nanoTime();
      choices.reset();
      Polygraph problem = Encoding.of(instance, model, choices, assumed, expired);
      spent.constructed(start);
      if (problem == null) {
        return new Decision.Result.Expired();
      }
      Decision decision = new Decision(problem, expired, spent, mostConflicts);
      Decision.Result result = what.apply(decision, order);
      if (!(result instanceof Decision.Result.Narrowed narrowed)) {
        return result;
      }
      choices.narrow(narrowed.left());
    }
  }
}
