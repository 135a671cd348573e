package dev.assay.check.strong;

import dev.assay.check.Budget;
import dev.assay.solve.Decision;
import dev.assay.solve.Effort;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Looks for an order that respects sessions and real time although its level does not require that,
 * with as few exceptions as possible. Without session order the clocks of saturation are too wide
 * to be useful and nearly everything is left to the search; with it nearly nothing is.
 *
 * <p>Obvious exceptions are found first ({@link RealTimeViolations}), the others in rounds. When
 * some transactions turn out to have no such order, they are tried without these assumptions, alone
 * and with those around them; if they still have none, the level is refuted. Otherwise they become
 * exceptions, and if one of them already was, so do those near them, at twice the distance each
 * time: a stale read affects everything that depends on what it missed, and one step at a time
 * takes three times as many rounds.
 *
 * <p>A long history may have more exceptions than rounds, and each round looks at all of it. So its
 * stretches get their rounds first: most exceptions are about transactions near each other.
 */
final class Relaxation {
  /** Maximum number of conflicts in one approach while another is left to try. */
  static final long MAX_CONFLICTS = 10_000;

  /** Maximum number of rounds; after that there are too many exceptions. */
  private static final int MAX_ROUNDS = 32;

  /**
   * Distances in the likely order within which transactions are tried together. Larger ones, up to
   * 1,024, cost more and refute no sooner.
   */
  private static final int[] AROUND = {0, 8, 64};

  /** Maximum number of transactions tried together in search of a refutation. */
  private static final int MAX_AROUND = 2_000;

  /** Number of transactions in a stretch; more in long histories, where it is a share of all. */
  private static final int MIN_STRETCH = 2_048;

  private static final int MOST_STRETCHES = 128;

  /** Maximum number of conflicts in one stretch: it is left if it is hard. */
  private static final long MAX_CONFLICTS_IN_STRETCH = 1_000;

  private final Instance instance;
  private final int[] order;
  private final int[] place;
  private final Budget budget;
  private final Effort effort;
  private final int stretch;
  private final long mostConflicts;
  private final BitSet free = new BitSet();
  private long conflictsBefore;

  /**
   * Prepares.
   *
   * @param order the members in a likely order
   */
  Relaxation(Instance instance, int[] order, Budget budget, Effort effort) {
    this(instance, order, budget, effort, MIN_STRETCH, MAX_CONFLICTS);
  }

  /**
   * Prepares.
   *
   * @param stretch number of transactions in a stretch
   */
  Relaxation(
      Instance instance,
      int[] order,
      Budget budget,
      Effort effort,
      int stretch,
      long mostConflicts) {
    this.instance = instance;
    this.order = order;
    this.place = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    this.budget = budget;
    this.effort = effort;
    this.stretch = Math.max(stretch, 2 * order.length / MOST_STRETCHES);
    this.mostConflicts = mostConflicts;
  }

  /**
   * The answer, or null if none was found.
   *
   * @param timed whether there is real time to respect
   */
  Answer decide(Model model, boolean timed) {
    boolean sessions = !model.sessions();
    if (!timed && !(sessions && hasSessions())) {
      return null;
    }
    if (timed) {
      free.or(RealTimeViolations.of(instance));
    }
    conflictsBefore = effort.conflicts();
    return decide(model, new Assumptions(sessions, timed, free));
  }

  private Answer decide(Model model, Assumptions assumed) {
    int reach = 0;
    for (int round = 0; round < MAX_ROUNDS && !budget.expired(); round++) {
      Choices choices = Choices.all(instance);
      Decision.Result result = run(instance, model, choices, assumed, order);
      if (result instanceof Decision.Result.Found) {
        return new Answer(result, choices);
      }
      if (!(result instanceof Decision.Result.Refuted refuted)) {
        return null;
      }
      BitSet core = refuted.blamed();
      Answer answer = refutedAround(model, core);
      if (answer == null && round == 0 && stretch < order.length / 2) {
        answer = decideStretches(model, assumed);
        conflictsBefore = effort.conflicts();
      }
      if (answer != null) {
        return answer;
      }
      reach = core.intersects(free) ? Math.max(1, 2 * reach) : 0;
      int before = free.cardinality();
      free.or(around(core, reach));
      if (free.cardinality() == before || free.cardinality() > instance.size() / 2) {
        return null;
      }
    }
    return null;
  }

  /**
   * Looks for exceptions in stretches of the likely order, each of which overlaps the next by half.
   * The refutation if one of them has no order; else null.
   */
  private Answer decideStretches(Model model, Assumptions assumed) {
    int[] transactions = Arrays.stream(order).map(m -> instance.members[m]).toArray();
    for (int from = 0; from < order.length && !budget.expired(); from += stretch / 2) {
      BitSet members = new BitSet();
      for (int i = from; i < Math.min(order.length, from + stretch); i++) {
        members.set(order[i]);
      }
      Instance part = instance.restrictedTo(Refutation.withSources(instance, members));
      int[] likely = part.inOrder(transactions);
      Relaxation within =
          new Relaxation(part, likely, budget, effort, likely.length, MAX_CONFLICTS_IN_STRETCH);
      within.conflictsBefore = effort.conflicts();
      free.stream().map(m -> part.number[instance.members[m]]).forEach(within::free);
      Answer answer =
          within.decide(
              model, new Assumptions(assumed.sessions(), assumed.realTime(), within.free));
      Decision.Result result = answer == null ? null : answer.result();
      if (result instanceof Decision.Result.Refuted refuted) {
        return Answer.ofPart(instance, part, refuted, answer.choices());
      }
      if (result instanceof Decision.Result.Found) {
        within.free.stream().forEach(m -> free.set(instance.number[part.members[m]]));
      }
    }
    return null;
  }

  /** Exempts a member, if it is one. */
  private void free(int member) {
    if (member != Instance.NONE) {
      free.set(member);
    }
  }

  private boolean hasSessions() {
    return instance.history.sessionCount() < instance.history.transactionCount();
  }

  private Decision.Result run(
      Instance some, Model model, Choices choices, Assumptions assumed, int[] preferred) {
    long left = Math.max(1, mostConflicts - (effort.conflicts() - conflictsBefore));
    return new NarrowingSolver(some, model, choices, assumed, left, budget::expired)
        .ask(Decision::run, preferred, effort);
  }

  /** The refutation if some transactions, with those around them, have no order; else null. */
  private Answer refutedAround(Model model, BitSet core) {
    for (int reach : AROUND) {
      BitSet members = Refutation.withSources(instance, around(core, reach));
      if (members.cardinality() > MAX_AROUND) {
        return null;
      }
      Instance some = instance.restrictedTo(members);
      Choices choices = Choices.certain(some);
      Decision.Result result = run(some, model, choices, Assumptions.NOTHING, some.natural());
      if (result instanceof Decision.Result.Refuted refuted) {
        return Answer.ofPart(instance, some, refuted, choices);
      }
    }
    return null;
  }

  /** Some members and those near them in the likely order. */
  private BitSet around(BitSet some, int reach) {
    BitSet members = new BitSet();
    for (int m = some.nextSetBit(0); m >= 0; m = some.nextSetBit(m + 1)) {
      int to = Math.min(order.length, place[m] + reach + 1);
      for (int i = Math.max(0, place[m] - reach); i < to; i++) {
        members.set(order[i]);
      }
    }
    return members;
  }
}
