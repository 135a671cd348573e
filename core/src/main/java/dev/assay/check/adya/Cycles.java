package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cycles found so far, by their names. */
final class Cycles {
  /** A search is repeated so often where what it found needs no such orders. */
  private static final int MOST_ROUNDS = 8;

  /** So many cycles are shown against prefix, one for each component. */
  private static final int MOST_PREFIX = 16;

  private final AdyaGraph graph;
  private final Budget budget;
  private final Witnesses witnesses;
  private final Map<AnomalyType, List<Evidence>> found = new EnumMap<>(AnomalyType.class);

  /** Levels that an instance violates though not every cycle of its name does. */
  private final Map<AnomalyType, Set<Level>> alsoViolated = new EnumMap<>(AnomalyType.class);

  /** The instances that do. */
  private final List<Evidence> toShow = new ArrayList<>();

  private Evidence last;
  private Tangle tangle;

  Cycles(AdyaGraph graph, Budget budget) {
    this.graph = graph;
    this.budget = budget;
    this.witnesses = new Witnesses(graph);
  }

  /** Says in what part of the graph to look for cycles from now on. */
  void lookIn(Tangle part) {
    tangle = part;
  }

  /** Whether a cycle found so far violates a level. */
  boolean violate(Level level) {
    return found.keySet().stream().anyMatch(type -> type.forbiddenBy().contains(level));
  }

  /**
   * Looks for cycles of a kind, apart from those that were found without so many orders.
   *
   * @return whether, when none was found, there is none
   */
  boolean search(CycleKind kind, Orders orders) {
    BitSet without = new BitSet();
    boolean known = false;
    for (int i = 0; i <= orders.ordinal(); i++) {
      known |= findings(kind, Orders.values()[i], without);
    }
    // Cycles that miss only items were looked for in a graph of their own.
    boolean byPredicate =
        tangle.missesByPredicate() && kind.ordinal() >= CycleKind.SINGLE.ordinal();
    BitSet others = new BitSet();
    List<CycleSearch> weaker = known ? searches(kind, orders, others) : List.of();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      CycleSearch search = new CycleSearch(tangle, kind, orders, budget, without, byPredicate);
      boolean all = true;
      for (int[] cycle : search.run()) {
        if (!known || needs(cycle, weaker, others)) {
          add(cycle);
        } else {
          all = false;
        }
        transactions(cycle, without);
      }
      if (all) {
        return known || search.exhaustive();
      }
    }
    return known;
  }

  /** Searches for cycles of a kind with fewer orders, apart from others: all transactions. */
  private List<CycleSearch> searches(CycleKind kind, Orders orders, BitSet others) {
    others.set(0, tangle.transactions());
    List<CycleSearch> searches = new ArrayList<>();
    for (int i = 0; i < orders.ordinal(); i++) {
      searches.add(new CycleSearch(tangle, kind, Orders.values()[i], budget, others, false));
    }
    return searches;
  }

  /** Whether transactions need the orders they have for a cycle; with fewer there is none. */
  private boolean needs(int[] cycle, List<CycleSearch> weaker, BitSet others) {
    BitSet members = new BitSet();
    transactions(cycle, members);
    others.andNot(members);
    boolean needs = weaker.stream().noneMatch(search -> search.anyFrom(members));
    others.or(members);
    return needs;
  }

  /** Adds the transactions of a cycle, by their numbers in the part looked at. */
  private void transactions(int[] cycle, BitSet set) {
    for (int edge : cycle) {
      set.set(tangle.local(graph.edges().from(edge)));
    }
  }

  /** Adds the transactions of the cycles of a name that were found; whether there are any. */
  private boolean findings(CycleKind kind, Orders orders, BitSet set) {
    boolean any = false;
    for (AnomalyType name : List.of(orders.name(kind), orders.predicateName(kind))) {
      for (Evidence evidence : found.getOrDefault(name, List.of())) {
        any = true;
        for (Edge edge : evidence.edges()) {
          int local = tangle.local(edge.from());
          if (local >= 0) {
            set.set(local);
          }
        }
      }
    }
    return any;
  }

  /** Finds some cycle where a condition says there is one and the search was given up. */
  void findAny(CycleKind kind, Orders orders) {
    int kinds = kind.kinds() | orders.kinds();
    int[] cycle =
        switch (kind) {
          case SINGLE -> {
            int reader = new Conditions(tangle, Budget.unlimited()).missesOnce(orders);
            yield reader < 0
                ? new AnyCycle(tangle, null, kinds & ~AdyaGraph.RW).find()
                : new CycleSearch(tangle, kind, orders, Budget.unlimited()).first(reader);
          }
          case NONADJACENT -> new AnyCycle(tangle, Events.SNAPSHOT, kinds).find();
          default -> new AnyCycle(tangle, null, kinds).find();
        };
    add(cycle);
  }

  /** Finds cycles that prefix forbids, and returns their names. */
  Set<AnomalyType> findPrefix() {
    int kinds = CycleKind.NONADJACENT.kinds() | Orders.SESSIONS.kinds();
    Set<AnomalyType> names = EnumSet.noneOf(AnomalyType.class);
    for (int[] cycle : new AnyCycle(tangle, Events.PREFIX, kinds).find(MOST_PREFIX)) {
      AnomalyType name = add(cycle);
      alsoViolate(Level.PREFIX, name);
      names.add(name);
    }
    return names;
  }

  private AnomalyType add(int[] cycle) {
    boolean byPredicate = witnesses.missesByPredicate(cycle);
    return add(witnesses.kinds(cycle), byPredicate, witnesses.evidence(cycle));
  }

  /** Files a cycle on items under its name, given the kinds of its edges. */
  AnomalyType add(int[] kinds, Evidence evidence) {
    return add(kinds, false, evidence);
  }

  private AnomalyType add(int[] kinds, boolean byPredicate, Evidence evidence) {
    int used = 0;
    for (int kind : kinds) {
      used |= kind;
    }
    Orders orders = Orders.NONE;
    for (Orders named : Orders.values()) {
      orders = (used & named.required()) != 0 ? named : orders;
    }
    CycleKind kind = CycleKind.of(kinds);
    AnomalyType type = byPredicate ? orders.predicateName(kind) : orders.name(kind);
    last = evidence;
    List<Evidence> same = found.computeIfAbsent(type, t -> new ArrayList<>());
    if (!same.contains(evidence)) {
      same.add(evidence);
    }
    return type;
  }

  /** Says that the cycle filed last violates a level which does not forbid all of its name. */
  void alsoViolate(Level level, AnomalyType type) {
    toShow.add(last);
    alsoViolated
        .computeIfAbsent(type, t -> EnumSet.noneOf(Level.class))
        .addAll(level.andStronger());
  }

  /** One for each name. Cycles are too many to count, so the counts are what was looked at. */
  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    found.forEach(
        (type, all) -> {
          all.sort(
              Comparator.comparing((Evidence evidence) -> !toShow.contains(evidence))
                  .thenComparingInt(evidence -> evidence.edges().size()));
          List<Evidence> shown = all.subList(0, Math.min(all.size(), budget.maxWitnesses()));
          Set<Level> violates = EnumSet.copyOf(type.forbiddenBy());
          violates.addAll(alsoViolated.getOrDefault(type, Set.of()));
          anomalies.add(new Anomaly(type, violates, all.size(), true, shown));
        });
    return anomalies;
  }
}
