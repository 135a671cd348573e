package dev.assay.proof;

import dev.assay.check.Budget;
import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.linear.OrderedKeys;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.check.weak.WeakChecker;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Finds commit orders that prove levels, in a history whose values were written once. */
final class Orders {
  /** The largest number of transactions that are ordered here, where the solver does not. */
  private static final int MANY = 1_500;

  private final History history;
  private final Sources sources;
  private final GivenOrders given;
  private final Facts facts;
  private final Budget budget;

  Orders(History history, GivenOrders given, Sources sources, Budget budget) {
    this.history = history;
    this.given = given;
    this.sources = sources;
    this.budget = budget;
    this.facts = new Facts(history, given, sources.chosen(Map.of()), false);
  }

  /** An order that proves a level that holds, or null if none was found. */
  int[] of(Level level) {
    if (level == Level.CUT_ISOLATION) {
      return new int[0];
    }
    if (level == Level.CAUSAL_NON_TRANSACTIONAL) {
      return search(new Facts(history, given, sources.chosen(Map.of()), true), level);
    }
    int[] serial = given.order();
    boolean replayed = serial.length > 0 && level.implies(Level.SERIALIZABLE);
    if (replayed && SerialOrderChecker.proven(history, serial).implies(level)) {
      return serial;
    }
    boolean decidable =
        level != Level.MIXED && !history.uses(OpKind.Type::commutes) && given.isNothing();
    int[] found = decidable ? commitOrder(level) : null;
    return found == null ? search(facts, level) : found;
  }

  /** The order by which the checkers of registers and lists decide a level, or null. */
  private int[] commitOrder(Level level) {
    if (level == Level.SERIALIZABLE_LINEARIZABLE_KEYS) {
      return withOrderedKeys();
    }
    Subject subject = Subject.of(history, Set.of(level), budget);
    return level.cycles() == null
        ? WeakChecker.commitOrder(subject, level)
        : PolygraphChecker.commitOrder(subject, level);
  }

  /** The order of a history in which the order on keys can be read, without what that has more. */
  private int[] withOrderedKeys() {
    OrderedKeys keys = OrderedKeys.of(history);
    // There a condition that failed may have seen the initial state before it was loaded.
    if (keys.allowsMore() || history.hasOtherReads()) {
      return null;
    }
    Subject subject = Subject.of(keys.rewritten(), Set.of(Level.SERIALIZABLE), budget);
    int[] order = PolygraphChecker.commitOrder(subject, Level.SERIALIZABLE);
    return order == null
        ? null
        : Arrays.stream(order).filter(txn -> txn < history.transactionCount()).toArray();
  }

  private int[] search(Facts all, Level level) {
    int[] members = IntStream.range(0, all.size).filter(all::counts).toArray();
    if (members.length > MANY) {
      return null;
    }
    return new Prover(new Graph(all, Rule.of(level, all), members), budget::expired).run().order();
  }
}
