package dev.assay.check;

import dev.assay.history.History;
import dev.assay.infer.ReadsFrom;
import dev.assay.level.Level;
import java.util.Set;

/** A method of deciding levels. */
public interface LevelChecker {
  /** The name of the stage in timings. */
  String name();

  /** Looks at a history for the wanted levels; ignores those that are not its own. */
  Findings check(Subject subject);

  /**
   * What is to be checked.
   *
   * @param history the history
   * @param reads who wrote what each read saw
   * @param levels the levels asked for
   * @param violated levels that checkers before this one found violated
   * @param holding levels that checkers before this one found to hold
   * @param budget what may be spent
   */
  record Subject(
      History history,
      ReadsFrom reads,
      Set<Level> levels,
      Set<Level> violated,
      Set<Level> holding,
      Budget budget) {
    public Subject(
        History history, ReadsFrom reads, Set<Level> levels, Set<Level> violated, Budget budget) {
      this(history, reads, levels, violated, Set.of(), budget);
    }
  }
}
