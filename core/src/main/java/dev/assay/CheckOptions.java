package dev.assay;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker;
import dev.assay.check.adya.KnownOrderChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What to check, and how.
 *
 * <pre>{@code
 * CheckOptions.of(Level.surveyed()).given(certificate).within(Budget.of(Duration.ofMinutes(1)))
 * }</pre>
 *
 * @param levels the levels to decide
 * @param given what is known or assumed beside the history
 * @param budget what may be spent
 * @param checkers the methods to ask, in this order
 * @param settlesOpen whether what these leave open is settled by other levels, or by trying every
 *     choice of what was not observed, as far as that is possible
 */
public record CheckOptions(
    Set<Level> levels,
    Given given,
    Budget budget,
    List<LevelChecker> checkers,
    boolean settlesOpen) {
  public CheckOptions {
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("no level to check");
    }
    levels = EnumSet.copyOf(levels);
    checkers = List.copyOf(checkers);
  }

  /** Decides levels by every method there is, with nothing given and no limit. */
  public static CheckOptions of(Collection<Level> levels) {
    return new CheckOptions(
        Set.copyOf(levels), Given.NOTHING, Budget.unlimited(), Pipeline.CHECKERS, true);
  }

  /** The same, with what is known or assumed beside the history. */
  public CheckOptions given(Given newGiven) {
    return new CheckOptions(levels, newGiven, budget, checkers, settlesOpen);
  }

  /** The same, with a limit. */
  public CheckOptions within(Budget newBudget) {
    return new CheckOptions(levels, given, newBudget, checkers, settlesOpen);
  }

  /** The same by some methods alone: what they leave open stays open. */
  public CheckOptions onlyBy(List<LevelChecker> only) {
    return new CheckOptions(levels, given, budget, only, false);
  }

  /** The same without one of the methods: what the others leave open is still settled. */
  public CheckOptions without(String name) {
    List<LevelChecker> others = new ArrayList<>(checkers);
    others.removeIf(checker -> checker.name().equals(name));
    return new CheckOptions(levels, given, budget, others, settlesOpen);
  }

  /**
   * The same where it is known that all but some of the levels are violated: their anomalies are
   * listed as far as no order has to be searched for, and no level has more than one argument that
   * needs such a search.
   */
  public CheckOptions searchingFor(Set<Level> some) {
    List<LevelChecker> others = new ArrayList<>(checkers);
    others.replaceAll(
        checker ->
            checker instanceof PolygraphChecker
                ? PolygraphChecker.only(some)
                : checker instanceof KnownOrderChecker ? KnownOrderChecker.only(some) : checker);
    return new CheckOptions(levels, given, budget, others, settlesOpen);
  }

  /** The same for other levels. */
  CheckOptions about(Set<Level> others) {
    return new CheckOptions(others, given, budget, checkers, settlesOpen);
  }
}
