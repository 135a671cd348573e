package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Given;
import dev.assay.infer.ReadsFrom;
import dev.assay.infer.VersionOrders;
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
   * @param versions what is known of the order of versions
   * @param levels the levels asked for
   * @param violated levels that checkers before this one found violated
   * @param holding levels that checkers before this one found to hold, and all these imply
   * @param budget what may be spent
   */
  record Subject(
      History history,
      ReadsFrom reads,
      VersionOrders versions,
      Set<Level> levels,
      Set<Level> violated,
      Set<Level> holding,
      Budget budget) {
    /**
     * Why nothing can be said to hold by looking at registers and lists alone, or null. What
     * predicates did counts from Adya's read committed up; that it holds says that somebody who
     * understands predicates has looked.
     */
    public String unexamined() {
      for (OpKind.Type type : OpKind.Type.values()) {
        boolean examined =
            switch (type) {
              case REGISTER, LIST -> true;
              case PREDICATE -> holding.contains(Level.ADYA_READ_COMMITTED);
              case SET, COUNTER -> false;
            };
        if (!examined && history.uses(type)) {
          return "only registers and lists were examined, and nothing was found there";
        }
      }
      return null;
    }

    /** A history of which nothing was found out yet. */
    public static Subject of(History history, Set<Level> levels, Budget budget) {
      ReadsFrom reads = ReadsFrom.of(history);
      VersionOrders versions = new VersionOrders(history, reads, Given.NOTHING);
      return new Subject(history, reads, versions, levels, Set.of(), Set.of(), budget);
    }
  }
}
