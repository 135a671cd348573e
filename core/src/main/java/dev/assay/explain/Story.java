package dev.assay.explain;

import dev.assay.explain.Explanation.Step;
import java.util.List;

/**
 * An instance of an anomaly as one would tell it to a colleague who knows no theory.
 *
 * @param name what it is called: {@code write skew}
 * @param what what happened, in one sentence without a full stop
 * @param transactions those to list below that sentence, in order; none where the steps say it
 * @param operations the operations of these that matter, ascending
 * @param steps what to list where the operations alone do not show it; else empty
 * @param conclusion what is wrong with that, in one sentence
 * @param likeness the same from everyday life, in one sentence; empty if there is none
 */
public record Story(
    String name,
    String what,
    List<Integer> transactions,
    List<Integer> operations,
    List<Step> steps,
    String conclusion,
    String likeness) {
  public Story {
    transactions = List.copyOf(transactions);
    operations = List.copyOf(operations);
    steps = List.copyOf(steps);
  }

  /** Whether the operations of the transactions show what happened, without an argument. */
  public boolean isPlain() {
    return steps.isEmpty();
  }
}
