package dev.assay.check.strong;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Turns the finding that some transactions have no order into an argument that a reader can follow:
 * shrinks the set of transactions ({@link CoreMinimiser}) and proves a cycle ({@link Prover}).
 */
final class Refutation {
  /**
   * The levels that arguments are about, those that forbid worse cycles first. Only cycles of items
   * are considered here, so levels that forbid all cycles are refuted by the same ones; lost
   * updates are found elsewhere.
   */
  private static final List<Level> WORST_FIRST =
      Level.definedByCycles().stream()
          .filter(level -> level.cycles() != ForbiddenCycles.ALL)
          .filter(level -> level.cycles() != ForbiddenCycles.FLOW_AND_LOST_UPDATES)
          .toList();

  /**
   * Maximum number of transactions to start from for an argument with ambiguous reads. Ruling out a
   * writer of one such read may depend on others, and so on through the whole history, which no
   * reader could follow.
   */
  private static final int MAX_WITH_CHOICES = 20_000;

  /** Maximum number of transactions in an argument with ambiguous reads. */
  private static final int MAX_IN_ARGUMENT = 2_000;

  /** Maximum number of transactions in all tries to shrink it; a try takes longer with choices. */
  private static final long WORK_WITH_CHOICES = 600_000;

  /** Decides whether some transactions have no order at a level, with such choices. */
  interface Test {
    boolean isRefuted(Instance some, Model model, Choices choices);
  }

  private final Test test;
  private final boolean timed;
  private final Budget budget;

  /**
   * Prepares.
   *
   * @param timed whether there is real time to respect
   */
  Refutation(Test test, boolean timed, Budget budget) {
    this.test = test;
    this.timed = timed;
    this.budget = budget;
  }

  /**
   * Arguments about the same transactions, without ambiguous reads if possible; none if time ran
   * out or they would take too many transactions.
   */
  List<Anomaly> explain(Instance instance, Model model, BitSet blamed) {
    List<Anomaly> found = explain(instance, model, blamed, Choices::none);
    return found.isEmpty() ? explain(instance, model, blamed, Choices::certain) : found;
  }

  /** The levels that arguments are about, those that forbid worse cycles first. */
  List<Level> levels() {
    return WORST_FIRST.stream().filter(level -> timed || !level.needsRealTime()).toList();
  }

  /**
   * A few of these members that have no order, without ambiguous reads; null if there are none.
   *
   * @param work maximum number of transactions in all tries to shrink the set
   */
  BitSet core(Instance instance, Model model, BitSet some, long work) {
    if (!isRefuted(instance.restrictedTo(some), model, Choices::none)) {
      return null;
    }
    return CoreMinimiser.minimise(
        some,
        work,
        budget::expired,
        set -> isRefuted(instance.restrictedTo(set), model, Choices::none));
  }

  /** Arguments about a few transactions, without ambiguous reads. */
  List<Anomaly> arguments(Instance few, Model model) {
    return arguments(few, model, Choices::none);
  }

  private List<Anomaly> explain(
      Instance instance, Model model, BitSet blamed, Function<Instance, Choices> choices) {
    boolean withChoices = choices.apply(instance).areConsidered();
    int most = withChoices ? MAX_WITH_CHOICES : instance.size();
    BitSet start = blamed;
    while (!isRefuted(instance.restrictedTo(start), model, choices)) {
      // A read is part of the reason only together with its writer.
      BitSet more = withChoices || start == blamed ? withSources(instance, start) : start;
      if (more.equals(start)) {
        more = new BitSet();
        more.set(0, instance.size());
      }
      if (more.equals(start) || more.cardinality() > most || budget.expired()) {
        return List.of();
      }
      start = more;
    }
    BitSet core =
        CoreMinimiser.minimise(
            start,
            withChoices ? WORK_WITH_CHOICES : CoreMinimiser.MAX_WORK,
            budget::expired,
            set -> isRefuted(instance.restrictedTo(set), model, choices));
    if (withChoices && core.cardinality() > MAX_IN_ARGUMENT) {
      return List.of();
    }
    return arguments(instance.restrictedTo(core), model, choices);
  }

  /** An argument for each of the weakest levels that a few transactions violate. */
  private List<Anomaly> arguments(Instance few, Model model, Function<Instance, Choices> choices) {
    List<Anomaly> found = new ArrayList<>();
    for (Level level : levels()) {
      Model weak = Model.of(level);
      boolean known = found.stream().anyMatch(other -> other.violates().contains(level));
      if (!known && isRefuted(few, weak, choices)) {
        add(argue(few, weak, choices), found);
      }
    }
    mergeUnnamed(found);
    if (found.stream().noneMatch(other -> other.violates().contains(model.level()))) {
      add(argue(few, model, choices), found);
    }
    return found;
  }

  /** Levels that have no type of cycle are violated by the same anomaly as others. */
  private static void mergeUnnamed(List<Anomaly> found) {
    for (int i = found.size() - 1; i > 0; i--) {
      Level level = found.get(i).witnesses().get(0).refutes();
      if (!level.forbidsWholeKind()) {
        Anomaly first = found.get(0);
        Anomaly both = first.and(found.remove(i));
        found.set(0, new Anomaly(first.type(), both.violates(), 1, true, both.witnesses()));
      }
    }
  }

  private static void add(Anomaly argument, List<Anomaly> found) {
    if (argument != null) {
      found.add(argument);
    }
  }

  /** Some members, and those that they may have read from. */
  static BitSet withSources(Instance instance, BitSet some) {
    BitSet result = (BitSet) some.clone();
    History history = instance.history;
    for (int m = some.nextSetBit(0); m >= 0; m = some.nextSetBit(m + 1)) {
      int txn = instance.members[m];
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (instance.isRead(op)) {
          addWriter(instance, instance.sourceOp(op), result);
          for (int write : instance.reads.candidates(op)) {
            addWriter(instance, write, result);
          }
        }
      }
    }
    return result;
  }

  private static void addWriter(Instance instance, int write, BitSet members) {
    int member = write < 0 ? Instance.NONE : instance.number[instance.history.transactionOf(write)];
    if (member != Instance.NONE) {
      members.set(member);
    }
  }

  private boolean isRefuted(Instance some, Model model, Function<Instance, Choices> choices) {
    return test.isRefuted(some, model, choices.apply(some));
  }

  private Anomaly argue(Instance few, Model model, Function<Instance, Choices> choices) {
    if (budget.expired()) {
      return null;
    }
    ProofContext context = new ProofContext(few, model, choices.apply(few), budget::expired);
    List<Edge> cycle = new Prover(context, budget::expired).prove();
    if (cycle == null) {
      return null;
    }
    AnomalyType type = AnomalyType.ofCycles(Edge.cycles(cycle));
    Evidence evidence = new Evidence(List.of(), cycle, model.level(), null);
    Set<Level> violates = model.level().andStronger();
    // Only items are considered here, and every level that forbids the type forbids these cycles.
    violates.addAll(type.forbiddenBy());
    return new Anomaly(type, violates, 1, true, List.of(evidence));
  }
}
