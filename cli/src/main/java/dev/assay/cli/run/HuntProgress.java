package dev.assay.cli.run;

import dev.assay.history.Outcome;
import dev.assay.render.Plain;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * How far a run is that is repeated until it shows a violation: one line for all attempts, of which
 * there may be many a second.
 */
final class HuntProgress {
  private static final long SECOND = 1000;

  private final int repetitions;

  /** What became of the transactions of the attempts that are over. */
  private final Map<Outcome, Long> over = new EnumMap<>(Outcome.class);

  private long attempt;
  private ToLongFunction<Outcome> tally;
  private Supplier<String> verdict;

  /**
   * @param repetitions the maximum number of attempts, {@link Integer#MAX_VALUE} without one
   */
  HuntProgress(int repetitions) {
    this.repetitions = repetitions;
  }

  /**
   * An attempt begins; the one before it is over.
   *
   * @param counted the number of its transactions that have ended in a given way
   * @param soFar the verdict on it so far, empty if there is none
   */
  synchronized void begin(long number, ToLongFunction<Outcome> counted, Supplier<String> soFar) {
    if (tally != null) {
      for (Outcome outcome : Outcome.values()) {
        over.merge(outcome, tally.applyAsLong(outcome), Long::sum);
      }
    }
    attempt = number;
    tally = counted;
    verdict = soFar;
  }

  /** How far it is, the given time after the first attempt began. */
  synchronized String text(long elapsedMillis) {
    boolean quick = elapsedMillis < SECOND * attempt;
    long rate = Math.round((double) SECOND * attempt / Math.max(1, elapsedMillis));
    String pace =
        attempt == 1
            ? ""
            : quick
                ? " (" + Plain.number(rate) + " attempts a second)"
                : " (" + Plain.duration(elapsedMillis / attempt) + " an attempt)";
    // The verdict on an attempt is worth reading if it stays for a while.
    String soFar = quick ? "" : verdict.get();
    return "attempt "
        + count(attempt, repetitions)
        + ", "
        + Plain.duration(elapsedMillis)
        + pace
        + ": "
        + RunProgress.outcomes(one -> over.getOrDefault(one, 0L) + tally.applyAsLong(one))
        + (soFar.isEmpty() ? "" : "; " + soFar);
  }

  /** The number of an attempt, or of all, and how many there may be. */
  static String count(long attempts, int repetitions) {
    return repetitions == Integer.MAX_VALUE
        ? Plain.number(attempts)
        : Plain.number(attempts) + " of up to " + Plain.number(repetitions);
  }
}
