package dev.assay.check.adya;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cycles found so far, by their names. */
final class Cycles {
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
   * Looks for cycles of a kind, unless the same kind was found without so many orders.
   *
   * @return whether, when none was found, there is none
   */
  boolean search(CycleKind kind, Orders orders) {
    for (Orders fewer : Orders.values()) {
      boolean known =
          found.containsKey(fewer.name(kind)) || found.containsKey(fewer.predicateName(kind));
      if (fewer.ordinal() <= orders.ordinal() && known) {
        return true;
      }
    }
    CycleSearch search = new CycleSearch(tangle, kind, orders, budget);
    for (int[] cycle : search.run()) {
      add(cycle);
    }
    return search.exhaustive();
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

  /** Finds a cycle that prefix forbids, and returns its name. */
  AnomalyType findPrefix() {
    int kinds = CycleKind.NONADJACENT.kinds() | Orders.SESSIONS.kinds();
    return add(new AnyCycle(tangle, Events.PREFIX, kinds).find());
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
