package dev.assay.proof;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Proofs about histories of sets to which an element was added more than once. Additions keep their
 * elements, unlike writes of other repeated values ({@link ChosenWrites}): a read that shows an
 * element lacks none of its additions, whichever it saw.
 */
final class RepeatedElements {
  private static final int MOST_TRANSACTIONS = 150;

  private final Report report;
  private final History history;
  private final Sources sources;
  private final List<Sources.Place> places;
  private final Set<Integer> reads;
  private final Budget budget;
  private final int mostChoices;
  private final Map<Sources.Place, Integer> choices = new HashMap<>();
  private int tried;

  RepeatedElements(
      Report report, History history, Sources sources, int mostChoices, Budget budget) {
    this.report = report;
    this.history = history;
    this.sources = sources;
    this.places = sources.ambiguous();
    this.reads = places.stream().map(Sources.Place::op).collect(Collectors.toSet());
    this.mostChoices = mostChoices;
    this.budget = budget;
  }

  private boolean isOver() {
    return tried++ >= mostChoices
        || budget.expired()
        || history.transactionCount() > MOST_TRANSACTIONS;
  }

  private Facts facts(Level level) {
    boolean split = level == Level.CAUSAL_NON_TRANSACTIONAL;
    return new Facts(history, GivenOrders.NOTHING, sources.chosen(choices), split);
  }

  /** An order by which a level holds for some choice of additions, or null. */
  Proof.Order order(Level level) {
    tried = 0;
    choices.clear();
    return chooseOrder(level);
  }

  private Proof.Order chooseOrder(Level level) {
    if (isOver()) {
      return null;
    }
    Facts facts = facts(level);
    int[] order = wrongRead(level, facts) == null ? orderOf(level, facts) : null;
    if (order == null) {
      return null;
    }
    if (choices.size() == places.size()) {
      return new Proof.Order(new HashMap<>(choices), order);
    }
    Sources.Place next = places.get(choices.size());
    Proof.Order found = null;
    for (int write : sources.candidates(next.op(), next.element())) {
      if (found == null) {
        choices.put(next, write);
        found = chooseOrder(level);
        choices.remove(next);
      }
    }
    return found;
  }

  private int[] orderOf(Level level, Facts facts) {
    if (level == Level.CUT_ISOLATION) {
      return new int[0];
    }
    int[] members = IntStream.range(0, facts.size).filter(facts::counts).toArray();
    Graph graph = new Graph(facts, Rule.of(level, facts), members);
    return new Prover(graph, budget::expired).run().order();
  }

  /** An argument against a level for every choice of additions, or null. */
  Argument argument(Level level) {
    tried = 0;
    choices.clear();
    return split(level);
  }

  private Argument split(Level level) {
    if (isOver()) {
      return null;
    }
    Argument found = wrongRead(level, facts(level));
    if (found == null) {
      int[][] chosen = sources.chosen(choices);
      found =
          new Arguments(report, history, GivenOrders.NOTHING, chosen, reads, budget).against(level);
    }
    if (found != null || choices.size() == places.size()) {
      return found;
    }
    Sources.Place next = places.get(choices.size());
    int[] writes = sources.candidates(next.op(), next.element());
    List<Argument> cases = new ArrayList<>();
    for (int write : writes) {
      choices.put(next, write);
      Argument one = split(level);
      choices.remove(next);
      if (one == null) {
        return null;
      }
      cases.add(one);
    }
    return new Argument.Split(next, writes, cases);
  }

  /** A read that saw an addition which a level does not let it see, or null. */
  private Argument wrongRead(Level level, Facts facts) {
    int[][] chosen = sources.chosen(choices);
    for (int op : reads) {
      int reader = history.transactionOf(op);
      Level own = level == Level.MIXED ? Rule.promised(history, reader) : level;
      boolean counts = facts.counts(facts.split ? op : reader);
      for (int write : counts ? chosen[op] : new int[0]) {
        AnomalyType type = write < 0 ? null : anomaly(op, write, facts.split);
        if (type != null && type.forbiddenBy().contains(Rule.ofCycles(own))) {
          return new Argument.OfRead(type.id(), op);
        }
      }
    }
    return null;
  }

  private AnomalyType anomaly(int read, int write, boolean split) {
    int reader = history.transactionOf(read);
    int writer = history.transactionOf(write);
    if (history.outcome(writer) == Outcome.ABORTED) {
      return AnomalyType.ABORTED_READ;
    }
    if (split) {
      return null;
    }
    if (reader == writer) {
      return write > read ? AnomalyType.FUTURE_READ : null;
    }
    return showsAllAfter(read, write) ? null : AnomalyType.INTERMEDIATE_READ;
  }

  /** Whether a read shows all that the transaction of an addition first added after its element. */
  private boolean showsAllAfter(int read, int write) {
    Set<Integer> added = new LinkedHashSet<>();
    int writer = history.transactionOf(write);
    for (int op = history.firstOp(writer); op < history.endOp(writer); op++) {
      if (history.kind(op) == history.kind(write) && history.key(op) == history.key(write)) {
        added.add(history.value(op));
      }
    }
    List<Integer> inOrder = List.copyOf(new ArrayList<>(added));
    int[] shown =
        IntStream.range(0, sources.count(read)).map(e -> sources.value(read, e)).toArray();
    return inOrder.subList(inOrder.indexOf(history.value(write)), inOrder.size()).stream()
        .allMatch(element -> Arrays.stream(shown).anyMatch(value -> value == element));
  }
}
