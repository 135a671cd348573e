package dev.assay;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Ledger;
import dev.assay.check.LikelyOrder;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Rewriting;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.counters.CounterChoices;
import dev.assay.infer.counters.CounterOrder;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Settles what stays open because of counters, where it holds by some order of the increments: one
 * that is guessed, and then checked as if it were given for registers.
 */
final class GuessedCounters {
  private GuessedCounters() {}

  static Report settle(
      Report report,
      ReadsFrom reads,
      VersionOrders versions,
      Budget budget,
      Stages stages,
      Pipeline.Again again) {
    Set<Level> open = report.open(Verdict.Reason.UNSUPPORTED);
    boolean counters = report.history().uses(OpKind.Type.COUNTER);
    if (!counters || open.isEmpty() || !isFree(versions.given()) || budget.expired()) {
      return report;
    }
    Stages.Stage stage = stages.enter("counters");
    Set<Level> holding = holding(report.history(), open, reads, versions, budget, again);
    Report guessed = holding.isEmpty() ? report : held(report, open, holding);
    Report settled = tryAll(guessed, reads, versions, budget, again);
    stage.end();
    return settled;
  }

  private static Report held(Report report, Set<Level> open, Set<Level> holding) {
    Ledger ledger = Ledger.of(report.verdicts(), report.anomalies());
    for (Level level : open) {
      if (!Collections.disjoint(holding, level.andStronger())) {
        ledger.answer(level, new Verdict.Holds("an order of the increments satisfies it"));
      }
    }
    return report.with(ledger, report.notes());
  }

  /** Goes over all orders of the increments, where these are few. */
  private static Report tryAll(
      Report report, ReadsFrom reads, VersionOrders versions, Budget budget, Pipeline.Again again) {
    Set<Level> open = report.open(Verdict.Reason.UNSUPPORTED);
    open.retainAll(AnomalyType.THIN_AIR_READ.forbiddenBy());
    History items = versions.asRegisters().rewriting().rewritten();
    boolean few =
        items.operationCount() <= ExhaustiveSearch.MAX_OPERATIONS
            && versions.asRegisters().problem().isEmpty();
    if (open.isEmpty() || !few) {
      return report;
    }
    Report settled = report;
    for (boolean alone : new boolean[] {false, true}) {
      Set<Level> asked = EnumSet.copyOf(open);
      asked.removeIf(level -> (level == Level.CAUSAL_NON_TRANSACTIONAL) != alone);
      CounterChoices choices =
          CounterChoices.of(
              items,
              items == report.history() ? reads : reads.like(items),
              ExhaustiveSearch.MAX_CHOICES,
              budget::expired);
      boolean most =
          choices == null
              || choices.count(ExhaustiveSearch.MAX_CHOICES) * items.operationCount()
                  > ExhaustiveSearch.MAX_OPERATIONS;
      if (!asked.isEmpty() && !most) {
        Orders orders = new Orders(versions.asRegisters().rewriting(), choices, alone);
        settled = ExhaustiveSearch.settle(settled, asked, orders, budget, again);
      }
    }
    return settled;
  }

  /** In which order increments applied. */
  private static final class Orders implements ExhaustiveSearch.Choices {
    private final Rewriting items;
    private final CounterChoices choices;
    private final boolean alone;
    private int tried;
    private boolean cutShort;

    Orders(Rewriting items, CounterChoices choices, boolean alone) {
      this.items = items;
      this.choices = choices;
      this.alone = alone;
    }

    @Override
    public ExhaustiveSearch.Choice choice() {
      if (alone && !choices.isOneOrder()) {
        // Whole transactions have such orders in a cycle, which says nothing of operations.
        return null;
      }
      CounterOrder.Guess guess = choices.guess();
      Given given = new Given(Assumption.DEFAULT, guess.certificate());
      CounterChoices.Backwards wrong = alone ? null : choices.backwards();
      List<Anomaly> refuted = wrong == null ? List.of() : List.of(cycle(wrong, guess));
      return new ExhaustiveSearch.Choice(items.then(guess.rewriting()), given, refuted);
    }

    /** A transaction that reads an increment and then makes one that applies before it. */
    private static Anomaly cycle(CounterChoices.Backwards wrong, CounterOrder.Guess guess) {
      History history = guess.rewriting().rewritten();
      int reader = history.transactionOf(wrong.read());
      int other = history.transactionOf(wrong.seen());
      int key = history.key(wrong.read());
      Edge read = Edge.of(other, reader, EdgeKind.WR, key, wrong.seen(), wrong.read());
      Edge order = Edge.of(reader, other, EdgeKind.WW, key, wrong.own(), wrong.seen());
      // Commit orders contain both steps too, so what is given by one is violated as well.
      Set<Level> violates = AnomalyType.INTERMEDIATE_READ.forbiddenBy();
      List<Evidence> witness = List.of(Evidence.ofEdges(List.of(read, order)));
      return new Anomaly(AnomalyType.G1C, violates, 1, true, witness);
    }

    @Override
    public boolean advance() {
      Boolean more =
          ++tried * items.original().operationCount() > ExhaustiveSearch.MAX_OPERATIONS
              ? null
              : choices.advance();
      cutShort = more == null;
      return !cutShort && more;
    }

    @Override
    public boolean cutShort() {
      return cutShort;
    }

    @Override
    public String holds() {
      return "an order of the increments satisfies it";
    }

    @Override
    public String note() {
      return "for counters, one order of their increments is shown; every other order has its own"
          + " violation";
    }
  }

  private static Set<Level> holding(
      History history,
      Set<Level> open,
      ReadsFrom reads,
      VersionOrders versions,
      Budget budget,
      Pipeline.Again again) {
    History items = versions.asRegisters().rewriting().rewritten();
    CounterOrder.Guess guess =
        CounterOrder.of(
            items,
            items == history ? reads : reads.like(items),
            LikelyOrder.of(history),
            budget::expired);
    Set<Level> asked = guess == null ? Set.of() : asked(open, guess.explains());
    if (asked.isEmpty()) {
      return asked;
    }
    Given given = new Given(Assumption.DEFAULT, guess.certificate());
    Report guessed = again.check(guess.rewriting().rewritten(), asked, given);
    asked.removeIf(level -> !guessed.holds(level));
    return asked;
  }

  /** Whether nothing is known of the order of versions that a guess might go against. */
  private static boolean isFree(Given given) {
    VersionCertificate certificate = given.certificate();
    return given.assumptions().equals(Assumption.DEFAULT)
        && certificate.chains().isEmpty()
        && certificate.order().length == 0;
  }

  private static Set<Level> asked(Set<Level> open, boolean explainsReads) {
    Set<Level> asked = EnumSet.copyOf(open);
    // Operation by operation, sums would be others.
    if (asked.remove(Level.CAUSAL_NON_TRANSACTIONAL)) {
      asked.add(Level.CAUSAL);
    }
    if (!explainsReads) {
      asked.retainAll(Level.STRONG_READ_UNCOMMITTED.andWeaker());
    }
    return asked;
  }
}
