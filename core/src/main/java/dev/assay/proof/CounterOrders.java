package dev.assay.proof;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.check.LikelyOrder;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.counters.CounterChoices;
import dev.assay.infer.counters.CounterOrder;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.Counters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Commit orders that prove levels of a history with counters. An order of the increments makes the
 * counters registers, whose reads name the increment they saw; a commit order of that history which
 * contains the order of the increments proves the level for the counters too.
 */
final class CounterOrders {
  /** The history by one order of the increments. */
  private record Guessed(History registers, Given given, boolean explains) {}

  /** The largest number of operations over all orders of the increments that are tried. */
  private static final int MAX_OPERATIONS = 200_000;

  private final History history;
  private final Budget budget;
  private final List<Guessed> guesses = new ArrayList<>();

  /**
   * Finds orders of the increments.
   *
   * @param most the largest number of them
   */
  CounterOrders(History history, int most, Budget budget) {
    this.history = history;
    this.budget = budget;
    ReadsFrom reads = ReadsFrom.of(history);
    int[] likely = LikelyOrder.of(history);
    add(CounterOrder.of(history, reads, likely, budget::expired));
    CounterChoices choices = CounterChoices.of(history, reads, most, budget::expired);
    boolean more = choices != null;
    long few = Math.min(most, MAX_OPERATIONS / Math.max(1, history.operationCount()));
    while (more && guesses.size() < few && !budget.expired()) {
      add(choices.guess());
      more = Boolean.TRUE.equals(choices.advance());
    }
  }

  private void add(CounterOrder.Guess guess) {
    if (guess != null) {
      VersionCertificate certificate = guess.certificate();
      Given given = new Given(Assumption.DEFAULT, certificate);
      guesses.add(new Guessed(guess.rewriting().rewritten(), given, guess.explains()));
    }
  }

  /** An order by which a level holds, with the increment that each read saw; or null. */
  Proof.Order of(Level level) {
    if (level == Level.CUT_ISOLATION) {
      return new Proof.Order(seenNowhere(), new int[0]);
    }
    boolean asksNothing = Level.STRONG_READ_UNCOMMITTED.andWeaker().contains(level);
    for (Guessed guess : guesses) {
      boolean asked = guess.explains || asksNothing;
      // What a level without cycles of its own asks beside these, the order that is found shows.
      Level shown = Rule.ofCycles(level);
      boolean holds =
          asked && Assay.check(guess.registers, Set.of(shown), guess.given, budget).holds(shown);
      Proof.Order found = holds ? order(level, guess) : null;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** That reads of counters saw what no increment left; some levels ask nothing else of them. */
  private Map<Sources.Place, Integer> seenNowhere() {
    Map<Sources.Place, Integer> from = new HashMap<>();
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).type().isNumber() && Sources.isSeen(history, op)) {
        from.put(new Sources.Place(op, 0), Sources.THIN_AIR);
      }
    }
    return from;
  }

  private Proof.Order order(Level level, Guessed guess) {
    History registers = guess.registers;
    Sources sources = new Sources(registers);
    Map<Sources.Place, Integer> from = seenNowhere();
    BitSet seen = new BitSet();
    for (Map.Entry<Sources.Place, Integer> choice : from.entrySet()) {
      int read = choice.getKey().op();
      if (Sources.isSeen(registers, read)) {
        int write = sources.candidates(read, 0)[0];
        choice.setValue(write);
        seen.set(write < 0 ? history.transactionCount() : history.transactionOf(write));
      }
    }
    if (!showsAllThatApplied(registers, seen)) {
      return null;
    }
    GivenOrders given = GivenOrders.of(registers, guess.given).get(0);
    int[] order = new Orders(registers, given, sources, budget).of(level);
    boolean right = order != null && addsUp(order, from);
    return right ? new Proof.Order(from, order) : null;
  }

  /** Transactions of unknown outcome count where a read saw them, and then so do their reads. */
  private boolean showsAllThatApplied(History registers, BitSet seen) {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean applied =
          registers.outcome(txn) == Outcome.COMMITTED && history.outcome(txn) != Outcome.COMMITTED;
      for (int op = history.firstOp(txn); applied && op < history.endOp(txn); op++) {
        if (Sources.isSeen(history, op) || !seen.get(txn)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether each read shows the sum of the increments up to the one it saw. */
  private boolean addsUp(int[] order, Map<Sources.Place, Integer> from) {
    long[] sums = new long[history.keys().count()];
    long[] after = new long[history.operationCount()];
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op).type().isNumber() && history.kind(op).isWrite()) {
          sums[history.key(op)] += amount(op);
          after[op] = sums[history.key(op)];
        }
      }
    }
    BitSet counting = new BitSet();
    Arrays.stream(order).forEach(counting::set);
    for (Map.Entry<Sources.Place, Integer> choice : from.entrySet()) {
      int read = choice.getKey().op();
      int write = choice.getValue();
      boolean judged = write != Sources.THIN_AIR && counting.get(history.transactionOf(read));
      if (judged && amount(read) != (write < 0 ? 0 : after[write])) {
        return false;
      }
    }
    return true;
  }

  private long amount(int op) {
    return Counters.amount(history, op).longValueExact();
  }
}
