package dev.assay.check.predicate;

import dev.assay.check.Budget;
import dev.assay.check.adya.GuessedOrder;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.infer.predicates.CommittedResults;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.PredicateTable;
import dev.assay.resolve.ReadsFrom;

/**
 * Searches for a commit order in which all that a transaction saw was committed before it. Reads
 * that a guess does not explain yield constraints for the next guess, because clients learn of
 * commits in a different order than they happen.
 */
final class CommittedOrder {
  private static final int MAX_GUESSES = 20;

  private CommittedOrder() {}

  /**
   * The order, which also follows sessions; null if none was found.
   *
   * @param given the order of commits, as far as it is known
   * @throws Deadline.Expired if there is no time left
   */
  static int[] of(
      History history, PredicateTable table, ReadsFrom reads, EdgeList given, Budget budget) {
    CommittedResults results = new CommittedResults(table, reads);
    Deadline deadline = new Deadline(budget::expired);
    EdgeList known = new EdgeList();
    known.addAll(given);
    for (int guess = 0; guess < MAX_GUESSES; guess++) {
      int[] order = GuessedOrder.of(history, reads, known);
      EdgeList lacking = order == null ? null : results.lackingIn(order, deadline);
      if (lacking == null || lacking.size() == 0) {
        return lacking == null ? null : order;
      }
      known.addAll(lacking);
    }
    return null;
  }
}
