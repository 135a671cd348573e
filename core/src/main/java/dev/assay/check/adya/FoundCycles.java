package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Cycle;
import dev.assay.level.CycleKind;
import dev.assay.level.EdgeKind;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import dev.assay.level.Orders;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cycles found so far, by their names. */
final class FoundCycles {
  /** Maximum number of searches for one kind if the cycles found need fewer orders. */
  private static final int MAX_ROUNDS = 8;

  /** Maximum number of steps for each edge of the subgraph in a search that is to be short. */
  private static final long MAX_STEPS_FOR_EDGE = 4;

  /** Maximum number of cycles shown against prefix, one for each component. */
  private static final int MAX_PREFIX = 16;

  private final AdyaGraph graph;
  private final Budget budget;
  private final Witnesses witnesses;
  private final Map<AnomalyType, Set<Evidence>> found = new EnumMap<>(AnomalyType.class);
  private final Map<Evidence, Set<Level>> violated = new IdentityHashMap<>();
  private final Set<Level> violatedLevels = EnumSet.noneOf(Level.class);

  private CyclicSubgraph subgraph;

  FoundCycles(AdyaGraph graph, Budget budget) {
    this.graph = graph;
    this.budget = budget;
    this.witnesses = new Witnesses(graph);
  }

  /** Sets the subgraph to search from now on. */
  void lookIn(CyclicSubgraph part) {
    subgraph = part;
  }

  /** Whether a cycle found so far violates a level. */
  boolean violate(Level level) {
    return violatedLevels.contains(level);
  }

  /**
   * Searches for cycles of a kind that are not among those found with fewer orders.
   *
   * @param briefly whether to list only what is found soon
   * @return whether, when none was found, there is none
   */
  boolean search(CycleKind kind, Orders orders, boolean briefly) {
    long left = briefly ? MAX_STEPS_FOR_EDGE * subgraph.edges() : Long.MAX_VALUE;
    BitSet without = new BitSet();
    boolean known = false;
    for (int i = 0; i <= orders.ordinal(); i++) {
      known |= findings(kind, Orders.values()[i], without);
    }
    // Cycles of items were searched for in the graph of items.
    boolean byPredicate =
        subgraph.missesByPredicate() && kind.ordinal() >= CycleKind.SINGLE.ordinal();
    BitSet others = new BitSet();
    List<CycleSearch> weaker = known ? searches(kind, orders, others) : List.of();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      CycleSearch search =
          new CycleSearch(subgraph, kind, orders, budget, without, byPredicate).atMost(left);
      boolean all = true;
      for (int[] cycle : search.run()) {
        if (!known || needs(cycle, weaker, others)) {
          add(cycle);
        } else {
          all = false;
        }
        transactions(cycle, without);
      }
      left -= search.steps();
      if (all || left <= 0) {
        return known || search.exhaustive();
      }
    }
    return known;
  }

  /** Searches for cycles of a kind with fewer orders that avoid these transactions. */
  private List<CycleSearch> searches(CycleKind kind, Orders orders, BitSet others) {
    others.set(0, subgraph.transactions());
    List<CycleSearch> searches = new ArrayList<>();
    for (int i = 0; i < orders.ordinal(); i++) {
      searches.add(new CycleSearch(subgraph, kind, Orders.values()[i], budget, others, false));
    }
    return searches;
  }

  /** Whether the transactions of a cycle have no cycle with fewer orders. */
  private boolean needs(int[] cycle, List<CycleSearch> weaker, BitSet others) {
    BitSet members = new BitSet();
    transactions(cycle, members);
    others.andNot(members);
    boolean needs = weaker.stream().noneMatch(search -> search.anyFrom(members));
    others.or(members);
    return needs;
  }

  /** Adds the transactions of a cycle, by their numbers in the subgraph. */
  private void transactions(int[] cycle, BitSet set) {
    for (int edge : cycle) {
      set.set(subgraph.local(graph.edges().from(edge)));
    }
  }

  /** Adds the transactions of the cycles found of a type; returns whether there are any. */
  private boolean findings(CycleKind kind, Orders orders, BitSet set) {
    boolean any = false;
    for (Map.Entry<AnomalyType, Set<Evidence>> same : found.entrySet()) {
      boolean named = same.getKey().cycleKind() == kind && same.getKey().orders() == orders;
      for (Evidence evidence : named ? same.getValue() : Set.<Evidence>of()) {
        any = true;
        for (Edge edge : evidence.edges()) {
          int local = subgraph.local(edge.from());
          if (local >= 0) {
            set.set(local);
          }
        }
      }
    }
    return any;
  }

  /** Finds some cycle if a condition shows that there is one but the search gave up. */
  void findAny(CycleKind kind, Orders orders) {
    int kinds = kind.dependencies() | orders.kinds();
    int[] cycle =
        switch (kind) {
          case SINGLE -> {
            int reader = new Conditions(subgraph, Budget.unlimited()).missesOnce(orders);
            yield reader < 0
                ? new AnyCycle(subgraph, null, kinds & ~AdyaGraph.RW).find()
                : new CycleSearch(subgraph, kind, orders, Budget.unlimited()).first(reader);
          }
          case NONADJACENT -> new AnyCycle(subgraph, Events.SNAPSHOT, kinds).find();
          default -> new AnyCycle(subgraph, null, kinds).find();
        };
    add(cycle);
  }

  /** Finds cycles that prefix forbids. */
  void findPrefix(Orders orders) {
    int kinds = CycleKind.NONADJACENT.dependencies() | orders.kinds();
    for (int[] cycle : new AnyCycle(subgraph, Events.PREFIX, kinds).find(MAX_PREFIX)) {
      add(cycle);
    }
  }

  private void add(int[] cycle) {
    add(witnesses.evidence(cycle));
  }

  /** Files a cycle under its name, with the levels it violates. */
  void add(Evidence evidence) {
    boolean byPredicate =
        evidence.edges().stream().anyMatch(e -> e.byPredicate() && e.kind() == EdgeKind.RW);
    Cycle cycle = new Cycle(evidence.edges().stream().map(Edge::kind).toList(), byPredicate);
    Set<Level> violates = cycle.violates();
    if (evidence.edges().stream().anyMatch(this::isIndirect)) {
      violates.removeIf(
          level ->
              level.cycles() == ForbiddenCycles.ONE_RW_AGAINST_ONE_EDGE
                  && !cycle.type().forbiddenBy().contains(level));
    }
    violatedLevels.addAll(violates);
    if (found.computeIfAbsent(cycle.type(), t -> new LinkedHashSet<>()).add(evidence)) {
      violated.put(evidence, violates);
    }
  }

  /** One read precedes another by rw and wr, and a predicate may miss more than items. */
  private boolean isIndirect(Edge edge) {
    boolean ofReads =
        edge.kind() == EdgeKind.RW
            && edge.toOp() >= 0
            && !graph.history().kind(edge.toOp()).isWrite();
    return edge.byPredicate() || ofReads;
  }

  /** One anomaly per type. There are too many cycles to count, so counts are lower bounds. */
  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    found.forEach(
        (type, all) -> {
          Set<Level> violates = EnumSet.noneOf(Level.class);
          all.forEach(evidence -> violates.addAll(violated.get(evidence)));
          anomalies.add(new Anomaly(type, violates, all.size(), true, shown(all)));
        });
    return anomalies;
  }

  /** The shortest ones, preferring those that violate levels which shorter ones do not. */
  private List<Evidence> shown(Set<Evidence> all) {
    List<Evidence> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingInt(evidence -> evidence.edges().size()));
    Set<Level> covered = EnumSet.noneOf(Level.class);
    Set<Evidence> first = new LinkedHashSet<>();
    for (Evidence evidence : sorted) {
      if (covered.addAll(violated.get(evidence))) {
        first.add(evidence);
      }
    }
    first.addAll(sorted);
    return first.stream().limit(budget.maxWitnesses()).toList();
  }
}
