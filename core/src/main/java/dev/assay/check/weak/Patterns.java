package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.infer.ReadsFrom;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names what refutes a level. An instance is a reader t3 of x, its source t1 and another writer t2
 * of x that t3 was bound to see, where t1 precedes t2 by causal order (the {@code -co} patterns) or
 * by the level's own commit order (the {@code -cm} patterns). Every forced edge t2 → t1 inside a
 * strongly connected component is one, and every edge into the initial version.
 */
final class Patterns {
  /** Instances of each kind whose evidence is made, to choose the smallest from. */
  private static final int CANDIDATES = 16;

  /** Instances of one read that are told of where there are too many to list them all. */
  private static final int PER_READ = 16;

  private final OrderSearch causalSearch;
  private final Causality causality;
  private final History history;
  private final Budget budget;
  private final Map<AnomalyType, Kind> kinds = new EnumMap<>(AnomalyType.class);

  /**
   * Names patterns.
   *
   * @param causalSearch the search over causal order, by which patterns are told apart
   */
  Patterns(OrderSearch causalSearch, Budget budget) {
    this.causalSearch = causalSearch;
    this.causality = causalSearch.causality();
    this.history = causality.history();
    this.budget = budget;
  }

  /** What was found of one kind of anomaly. */
  private static final class Kind {
    private final Set<Level> violates = EnumSet.noneOf(Level.class);
    private long count;
    private boolean lowerBound;

    /** By what they are of, so that one instance argued for several levels is one witness. */
    private final Map<Object, Evidence> witnesses = new LinkedHashMap<>();
  }

  /** A reader, its source and the writer it should have seen. */
  record Instance(int t1, int t2, int t3, int key) {}

  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    kinds.forEach(
        (type, kind) ->
            anomalies.add(
                new Anomaly(
                    type,
                    kind.violates,
                    kind.count,
                    kind.lowerBound,
                    smallest(kind.witnesses.values()))));
    return anomalies;
  }

  private List<Evidence> smallest(Collection<Evidence> witnesses) {
    List<Evidence> sorted = new ArrayList<>(witnesses);
    sorted.sort(Comparator.comparingInt(e -> weight(e.edges())));
    return sorted.stream().limit(budget.maxWitnesses()).toList();
  }

  private static int weight(List<Edge> edges) {
    int weight = 0;
    for (Edge edge : edges) {
      weight += 1 + weight(edge.because());
    }
    return weight;
  }

  // ---- circles of causal order

  /** One instance for each group of transactions that precede each other. */
  void addCircles(OrderSearch search, Set<Axiom> axioms) {
    EdgeList edges = Circles.edges(causality, search.sessions());
    EdgeList observed = new EdgeList();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.label(i) != Step.VERSION) {
        observed.add(edges.from(i), edges.to(i), edges.label(i), edges.mark(i));
      }
    }
    addCircles(search, axioms, observed, Components.of(causality.transactions(), observed));
    addCircles(search, axioms, edges, search.circles().components());
  }

  private void addCircles(
      OrderSearch search, Set<Axiom> axioms, EdgeList edges, Components components) {
    Paths paths = new Paths(search, edges);
    boolean[] done = new boolean[components.count()];
    for (int txn = 0; txn < causality.transactions(); txn++) {
      int component = components.of(txn);
      if (components.size(component) > 1 && !done[component]) {
        done[component] = true;
        List<Edge> circle = paths.circle(txn, components);
        Kind kind = kind(circleType(circle));
        for (Axiom axiom : axioms) {
          if (axiom.sessions() == search.sessions()) {
            kind.violates.addAll(axiom.level().andStronger());
          }
        }
        kind.violates.addAll(circleType(circle).forbiddenBy());
        if (kind.witnesses.containsKey(circle)) {
          continue;
        }
        kind.count++;
        kind.lowerBound = true;
        kind.witnesses.put(circle, Evidence.ofEdges(circle));
      }
    }
  }

  private static AnomalyType circleType(List<Edge> circle) {
    boolean session = circle.stream().anyMatch(e -> e.kind() == Edge.Kind.SO);
    boolean version = circle.stream().anyMatch(e -> e.kind() == Edge.Kind.WW);
    boolean read = circle.stream().anyMatch(e -> e.kind() == Edge.Kind.WR);
    if (!version) {
      return AnomalyType.CYCLIC_CAUSALITY;
    }
    if (!read) {
      return session ? AnomalyType.G0_PROCESS : AnomalyType.G0;
    }
    return session ? AnomalyType.G1C_PROCESS : AnomalyType.G1C;
  }

  // ---- instances of an axiom

  void add(Axiom axiom, OrderSearch search, OrderSearch.Result.Refuted refuted) {
    Regions regions = new Regions(refuted.order(), refuted.backwards());
    EdgeList all = refuted.complete() ? search.all(axiom, refuted.order(), regions) : null;
    EdgeList forced = all != null ? all : search.some(axiom, refuted.order(), regions, PER_READ);
    int listed = forced.size();
    if (all == null) {
      // What is told of may not be what closed the cycle.
      forced.addAll(refuted.forced());
    }
    causalSearch.expectQuestions(forced.size());
    EdgeList graph = regions.causalEdges(causality, search);
    for (int i = 0; i < forced.size(); i++) {
      if (forced.to(i) != ReadsFrom.INITIAL) {
        graph.add(forced.from(i), forced.to(i), Step.COMMIT, i);
      }
    }
    Components components = Components.of(causality.transactions(), graph);
    Paths paths = new Paths(search, graph, forced, axiom);
    Labels labels = new Labels(causalSearch, axiom);
    Map<AnomalyType, List<Instance>> chosen = new EnumMap<>(AnomalyType.class);
    Map<AnomalyType, Long> counts = new EnumMap<>(AnomalyType.class);
    boolean complete = all != null;
    Effort effort = new Effort(budget, causalSearch);
    for (int i = 0; i < forced.size() && (i < listed || counts.isEmpty()); i++) {
      if (!counts.isEmpty() && effort.isSpent()) {
        complete = false;
        break;
      }
      int t1 = forced.to(i);
      if (t1 != ReadsFrom.INITIAL && components.same(t1, forced.from(i))) {
        effort.lookAt(history.endOp(forced.label(i)) - history.firstOp(forced.label(i)));
        note(
            new Instance(t1, forced.from(i), forced.label(i), forced.mark(i)),
            labels,
            chosen,
            counts);
      }
    }
    EdgeList toInitial = refuted.toInitial();
    for (int i = 0; i < toInitial.size(); i++) {
      if (!counts.isEmpty() && effort.isSpent()) {
        complete = false;
        break;
      }
      effort.lookAt(history.endOp(toInitial.label(i)) - history.firstOp(toInitial.label(i)));
      Instance instance =
          new Instance(Edge.INITIAL, toInitial.from(i), toInitial.label(i), toInitial.mark(i));
      note(instance, labels, chosen, counts);
    }
    boolean exact = complete;
    chosen.forEach(
        (type, instances) -> {
          Kind kind = kind(type);
          kind.violates.addAll(axiom.level().andStronger());
          kind.count = Math.max(kind.count, counts.get(type));
          // Inside a circle of causal order everything precedes everything; those are not listed.
          kind.lowerBound |= search.circles().any() || !exact;
          if (!exact) {
            prune(instances, budget.maxWitnesses());
          }
          for (Instance instance : instances) {
            if (!kind.witnesses.isEmpty() && budget.expired()) {
              break;
            }
            // A weaker level comes later and says more.
            kind.witnesses.put(instance, paths.evidence(instance, components, labels.c4(instance)));
          }
        });
  }

  private void note(
      Instance instance,
      Labels labels,
      Map<AnomalyType, List<Instance>> chosen,
      Map<AnomalyType, Long> counts) {
    AnomalyType type = labels.of(instance);
    note(instance, type, chosen, counts);
    if (instance.t1 == Edge.INITIAL && type != AnomalyType.NON_REPEATABLE_READ) {
      note(instance, AnomalyType.INITIAL_READ, chosen, counts);
    }
  }

  private void note(
      Instance instance,
      AnomalyType type,
      Map<AnomalyType, List<Instance>> chosen,
      Map<AnomalyType, Long> counts) {
    counts.merge(type, 1L, Long::sum);
    List<Instance> kept = chosen.computeIfAbsent(type, t -> new ArrayList<>());
    kept.add(instance);
    if (kept.size() >= 2 * CANDIDATES) {
      prune(kept, CANDIDATES);
    }
  }

  private void prune(List<Instance> kept, int most) {
    if (kept.size() <= most) {
      return;
    }
    kept.sort(
        Comparator.comparingLong((Instance i) -> operations(i)).thenComparingInt(Instance::t3));
    kept.subList(most, kept.size()).clear();
  }

  private long operations(Instance instance) {
    long size = operations(instance.t2) + operations(instance.t3);
    return instance.t1 < 0 ? size : size + operations(instance.t1);
  }

  private long operations(int txn) {
    return history.endOp(txn) - history.firstOp(txn);
  }

  private Kind kind(AnomalyType type) {
    return kinds.computeIfAbsent(type, t -> new Kind());
  }
}
