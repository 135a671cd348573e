package dev.assay.check;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.AsRegisters;
import java.util.EnumSet;
import java.util.Set;

/**
 * A method of deciding levels. Checkers run one after another; each sees in its {@link Subject}
 * what earlier ones settled.
 */
public interface LevelChecker {
  /** The name of the stage in timings. */
  String name();

  /** Checks a history for the requested levels; ignores those it cannot decide. */
  Findings check(Subject subject);

  /**
   * What is to be checked.
   *
   * @param history the history
   * @param reads the write behind each read
   * @param versions what is known of the order of versions
   * @param levels the requested levels
   * @param violated levels that earlier checkers found violated
   * @param holding levels that earlier checkers found to hold, and all these imply
   * @param budget the time it may take
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
     * Why registers, lists and sets alone cannot show that a level holds, or null if they can.
     * Predicates count as examined where a certificate explains all of their results; that Adya's
     * read committed holds shows that it does.
     */
    public Verdict.Unknown unexamined() {
      AsRegisters all = versions.asRegisters();
      if (!all.problem().isEmpty()) {
        return new Verdict.Unknown(
            all.repeats() ? Verdict.Reason.AMBIGUOUS : Verdict.Reason.UNSUPPORTED, all.problem());
      }
      for (OpKind.Type type : OpKind.Type.values()) {
        if (history.uses(type) && !isExamined(type)) {
          return new Verdict.Unknown(
              Verdict.Reason.UNSUPPORTED,
              type.noun() + "s could not be decided; nothing else violates it");
        }
      }
      int list = versions.lists().chains().ambiguousKey();
      return list < 0
          ? null
          : new Verdict.Unknown(
              Verdict.Reason.AMBIGUOUS,
              "reads of the list %s show an element that was appended more than once"
                  .formatted(history.keys().text(list)));
    }

    private boolean isExamined(OpKind.Type type) {
      boolean explained =
          type == OpKind.Type.PREDICATE
              && holding.contains(Level.ADYA_READ_COMMITTED)
              && versions.explainPredicates()
              && (itemsHaveNoCycle() || !versions.hasUpdatedRows());
      return type.namesVersions() || explained;
    }

    /**
     * What predicate updates read appears only in the dependencies. Without a cycle of item
     * dependencies, no transaction missed a version that it should have seen.
     */
    private boolean itemsHaveNoCycle() {
      return holding.contains(Level.STRONG_SESSION_REPEATABLE_READ);
    }

    /** A fresh ledger that knows what was settled before. */
    public Ledger ledger() {
      return new Ledger(violated, holding);
    }

    /** The same with some of the levels alone. */
    public Subject about(Set<Level> some) {
      Set<Level> left = EnumSet.noneOf(Level.class);
      levels.stream().filter(some::contains).forEach(left::add);
      return new Subject(history, reads, versions, left, violated, holding, budget);
    }

    /** A history about which nothing is known yet. */
    public static Subject of(History history, Set<Level> levels, Budget budget) {
      return of(history, Given.NOTHING, levels, budget);
    }

    /** A history about which nothing is known yet but what is given. */
    public static Subject of(History history, Given given, Set<Level> levels, Budget budget) {
      ReadsFrom reads = ReadsFrom.of(history);
      VersionOrders versions = new VersionOrders(history, reads, given);
      return new Subject(history, reads, versions, levels, Set.of(), Set.of(), budget);
    }
  }
}
