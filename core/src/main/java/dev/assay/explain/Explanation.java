package dev.assay.explain;

import dev.assay.check.Edge;
import java.util.ArrayList;
import java.util.List;

/**
 * One instance of an anomaly in words.
 *
 * @param headline what happened, in one line that begins with the common name
 * @param transactions the transactions involved, in the order the argument names them
 * @param operations the operations the argument names, ascending
 * @param steps the argument
 * @param shownBy what shows the version order it rests on, as a clause; empty where the steps say
 *     everything
 */
public record Explanation(
    String headline,
    List<Integer> transactions,
    List<Integer> operations,
    List<Step> steps,
    String shownBy) {
  public Explanation {
    transactions = List.copyOf(transactions);
    operations = List.copyOf(operations);
    steps = List.copyOf(steps);
  }

  /**
   * One numbered sentence.
   *
   * @param number {@code 1}, {@code 2}, and for what a step rests on {@code 2a}, {@code 2b}
   * @param edge what the sentence is about, or null where it is about a single operation
   * @param operations the operations the sentence is about
   * @param supposed whether the sentence is a supposition to be refuted
   * @param sentence the sentence, without a full stop
   * @param because what an inferred step rests on; empty for what was observed
   * @param sameAs the number of the earlier step that argues for this one; else empty
   */
  public record Step(
      String number,
      Edge edge,
      List<Integer> operations,
      boolean supposed,
      String sentence,
      List<Step> because,
      String sameAs) {
    public Step {
      operations = List.copyOf(operations);
      because = List.copyOf(because);
    }

    /** The sentence, with a reference to the step that argues for it if that is another one. */
    public String referring() {
      return sameAs.isEmpty() ? sentence : sentence + " (as in " + sameAs + ")";
    }
  }

  /** All steps in reading order: each before what it rests on. */
  public List<Step> allSteps() {
    List<Step> all = new ArrayList<>();
    collect(steps, Integer.MAX_VALUE, all);
    return all;
  }

  /** The steps and what each rests on directly, in reading order. */
  public List<Step> outline() {
    List<Step> some = new ArrayList<>();
    collect(steps, 1, some);
    return some;
  }

  private static void collect(List<Step> steps, int depth, List<Step> all) {
    for (Step step : steps) {
      all.add(step);
      if (depth > 0) {
        collect(step.because(), depth - 1, all);
      }
    }
  }

  /** The sentences of {@link #allSteps}. */
  public List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (Step step : allSteps()) {
      sentences.add(step.sentence());
    }
    return sentences;
  }
}
