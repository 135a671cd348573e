package dev.assay.check.weak;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Axiom;
import dev.assay.level.Cycle;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import dev.assay.resolve.KeyAccess;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Names the anomalies that refute a level. An instance is a reader t3 of x, its source t1 and
 * another writer t2 of x that t3 had to see, where t1 precedes t2 by causal order (the {@code -co}
 * patterns) or by the level's own commit order (the {@code -cm} patterns). Every forced edge t2 →
 * t1 inside a strongly connected component is one, and every edge into the initial version.
 */
final class Patterns {
  /** Instances of each kind whose evidence is made, to choose the smallest from. */
  private static final int CANDIDATES = 16;

  /** Maximum number of instances reported per read, if there are too many to list all. */
  private static final int PER_READ = 16;

  /** Maximum number of pairs of a read and another writer examined inside cycles; some seconds. */
  private static final long MAX_PAIRS = 200_000_000;

  private final OrderSearch causalSearch;
  private final Causality causality;
  private final History history;
  private final List<KeyAccess> access;
  private final Budget budget;
  private final Map<AnomalyType, Kind> kinds = new EnumMap<>(AnomalyType.class);
  private final Comparator<Instance> bySize =
      Comparator.comparingLong((Instance i) -> operations(i)).thenComparingInt(Instance::t3);

  /** Causal order where it has cycles; null if it has none. */
  private CyclicPast cyclic;

  /** Cycles of the commit order of read atomic; null until they are known. */
  private Components atomic;

  /**
   * Names patterns.
   *
   * @param causalSearch the search over causal order, which distinguishes the patterns
   */
  Patterns(OrderSearch causalSearch, List<KeyAccess> access, Budget budget) {
    this.causalSearch = causalSearch;
    this.access = access;
    this.causality = causalSearch.causality();
    this.history = causality.history();
    this.budget = budget;
  }

  /** The findings of one anomaly type. */
  private static final class Kind {
    private final Set<Level> violates = EnumSet.noneOf(Level.class);
    private long count;
    private boolean lowerBound;

    /** The witnesses by what they are witnesses of. */
    private final Map<Object, Evidence> witnesses = new LinkedHashMap<>();

    /** The levels that the witnesses of an instance show to be violated. */
    private final Map<Instance, Set<Level>> shown = new HashMap<>();

    /** Whether an instance already shows that a level is violated; records that it will. */
    boolean shows(Instance instance, Level level) {
      Set<Level> levels = shown.computeIfAbsent(instance, i -> EnumSet.noneOf(Level.class));
      return !levels.addAll(level.andStronger());
    }
  }

  /** An instance argued for a level; an argument for one level does not show others. */
  private record Argued(Instance instance, Level level) {}

  /** A reader, its source and the writer it should have seen. */
  record Instance(int t1, int t2, int t3, int key) {}

  List<Anomaly> anomalies() {
    List<Anomaly> anomalies = new ArrayList<>();
    kinds.forEach(
        (type, kind) -> {
          List<Evidence> shown = smallest(kind.witnesses.values());
          // An instance that violates several levels may have a witness for each.
          long count = Math.max(kind.count, shown.size());
          anomalies.add(new Anomaly(type, kind.violates, count, kind.lowerBound, shown));
        });
    return anomalies;
  }

  /** The smallest witnesses, preferring those that refute levels which smaller ones do not. */
  private List<Evidence> smallest(Collection<Evidence> witnesses) {
    List<Evidence> sorted = new ArrayList<>(witnesses);
    Map<Edge, Integer> weights = new IdentityHashMap<>();
    sorted.sort(Comparator.comparingInt(e -> weight(e.edges(), weights)));
    Set<Level> covered = EnumSet.noneOf(Level.class);
    Set<Evidence> first = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Evidence evidence : sorted) {
      Level level = evidence.refutes();
      boolean shows = level != null && covered.addAll(level.andStronger());
      if (shows || first.isEmpty()) {
        first.add(evidence);
      }
    }
    sorted.sort(Comparator.comparing(evidence -> !first.contains(evidence)));
    return sorted.stream().limit(budget.maxWitnesses()).toList();
  }

  /** The number of steps of an argument when written out; those that are shared count each time. */
  private static int weight(List<Edge> edges, Map<Edge, Integer> known) {
    long weight = 0;
    for (Edge edge : edges) {
      Integer below = known.get(edge);
      if (below == null) {
        below = weight(edge.because(), known);
        known.put(edge, below);
      }
      weight += 1L + below;
    }
    return (int) Math.min(weight, Integer.MAX_VALUE);
  }

  // ---- cycles of causal order

  /** One instance for each group of transactions that precede each other. */
  void addCycles(OrderSearch search, Set<Level> levels) {
    EdgeList edges = CausalCycles.edges(causality, search.sessions());
    EdgeList observed = new EdgeList();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.label(i) != EdgeKind.WW.ordinal()) {
        observed.add(edges.from(i), edges.to(i), edges.label(i), edges.mark(i));
      }
    }
    Components groups = Components.of(causality.transactions(), observed);
    addCycles(search, levels, observed, groups);
    addCycles(search, levels, edges, search.cycles().components());
    if (search.sessions() && groups.count() < causality.transactions()) {
      addInside(observed, groups);
    }
  }

  /**
   * The patterns of causal order in a history in which this has cycles. The search for a commit
   * order leaves the reads inside a cycle out, so it does not see them.
   */
  private void addInside(EdgeList observed, Components groups) {
    cyclic = CyclicPast.of(causality, observed, groups);
    if (cyclic == null) {
      return;
    }
    Labels labels = labels(causalSearch, Axiom.CAUSAL);
    Noted noted = new Noted();
    long left = MAX_PAIRS;
    for (KeyAccess part : access) {
      for (int key = 0; key < part.size(); key++) {
        long writers = part.endWriter(key) - part.firstWriter(key);
        left -= writers * (part.endRead(key) - part.firstRead(key));
        if (left < 0 || budget.expired()) {
          noted.lowerBound = true;
          break;
        }
        addInside(part, key, labels, noted);
      }
    }
    // Such reads are found by ReadConsistency.
    noted.chosen.remove(AnomalyType.NON_REPEATABLE_READ);
    for (AnomalyType type : noted.chosen.keySet()) {
      Paths paths =
          new Paths(causalSearch, new EdgeList(), new EdgeList(), Labels.level(type), cyclic);
      keep(type, Labels.level(type), noted, i -> paths.evidence(i, null, labels.c4(i)));
    }
  }

  private void addInside(KeyAccess part, int key, Labels labels, Noted noted) {
    int first = part.firstWriter(key);
    CyclicPast.Writers writers = cyclic.writers(part.endWriter(key) - first);
    for (int w = first; w < part.endWriter(key); w++) {
      writers.set(w - first, part.writer(w), causality.counts(part.writer(w)));
    }
    for (int r = part.firstRead(key); r < part.endRead(key); r++) {
      int t1 = part.source(r);
      int t3 = part.reader(r);
      boolean counts = t1 == ReadsFrom.INITIAL || (t1 >= 0 && causality.counts(t1));
      if (!counts || !causality.counts(t3)) {
        continue;
      }
      int source = t1;
      writers.between(
          t1,
          t3,
          w -> {
            int t2 = part.writer(first + w);
            if (t2 != source && t2 != t3) {
              note(new Instance(source, t2, t3, part.key(key)), labels, noted);
            }
          });
    }
  }

  private Labels labels(OrderSearch search, Axiom axiom) {
    Labels.Order causal = cyclic != null && search.sessions() ? cyclic::precedes : search::precedes;
    return new Labels(search, axiom, causal, (a, b) -> atomic != null && atomic.same(a, b));
  }

  private void addCycles(
      OrderSearch search, Set<Level> levels, EdgeList edges, Components components) {
    Paths paths = new Paths(search, edges);
    boolean[] done = new boolean[components.count()];
    for (int txn = 0; txn < causality.transactions(); txn++) {
      int component = components.of(txn);
      if (components.size(component) > 1 && !done[component]) {
        done[component] = true;
        List<Edge> cycle = paths.cycle(txn, components);
        Kind kind = kind(cycleType(cycle));
        for (Level level : levels) {
          if (level.orders().includeSessions() == search.sessions()) {
            kind.violates.addAll(level.andStronger());
          }
        }
        kind.violates.addAll(cycleType(cycle).forbiddenBy());
        if (kind.witnesses.containsKey(cycle)) {
          continue;
        }
        kind.count++;
        kind.lowerBound = true;
        kind.witnesses.put(cycle, Evidence.ofEdges(cycle));
        if (budget.expired()) {
          return;
        }
      }
    }
  }

  private static AnomalyType cycleType(List<Edge> cycle) {
    List<EdgeKind> kinds = cycle.stream().map(Edge::kind).toList();
    return kinds.contains(EdgeKind.WW)
        ? new Cycle(kinds, false).type()
        : AnomalyType.CYCLIC_CAUSALITY;
  }

  // ---- instances of an axiom

  void add(Level level, OrderSearch search, OrderSearch.Result.Refuted refuted) {
    Axiom axiom = level.axiom();
    Regions regions = new Regions(refuted.order(), refuted.backwards());
    EdgeList all = refuted.complete() ? search.all(axiom, refuted.order(), regions) : null;
    EdgeList forced = all != null ? all : search.some(axiom, refuted.order(), regions, PER_READ);
    int listed = forced.size();
    if (all == null) {
      // The instances reported may not be those that closed the cycle.
      forced.addAll(refuted.forced());
    }
    causalSearch.expectQuestions(forced.size());
    EdgeList graph = regions.causalEdges(causality, search);
    for (int i = 0; i < forced.size(); i++) {
      if (forced.to(i) != ReadsFrom.INITIAL) {
        graph.add(forced.from(i), forced.to(i), EdgeKind.CM.ordinal(), i);
      }
    }
    Components components = Components.of(causality.transactions(), graph);
    Paths paths = new Paths(search, graph, forced, level, search.sessions() ? cyclic : null);
    if (level == Level.READ_ATOMIC) {
      atomic = components;
    }
    Labels labels = labels(search, axiom);
    Noted noted = new Noted();
    // Reads inside a cycle of causal order are left out here.
    noted.lowerBound = search.cycles().any();
    if (all == null) {
      noted.cutShort();
    }
    Effort effort = new Effort(budget, causalSearch);
    for (int i = 0; i < forced.size() && (i < listed || noted.counts.isEmpty()); i++) {
      if (!noted.counts.isEmpty() && effort.isSpent()) {
        noted.cutShort();
        break;
      }
      int t1 = forced.to(i);
      if (t1 != ReadsFrom.INITIAL && components.same(t1, forced.from(i))) {
        effort.lookAt(history.endOp(forced.label(i)) - history.firstOp(forced.label(i)));
        note(new Instance(t1, forced.from(i), forced.label(i), forced.mark(i)), labels, noted);
      }
    }
    EdgeList toInitial = refuted.toInitial();
    for (int i = 0; i < toInitial.size(); i++) {
      if (!noted.counts.isEmpty() && effort.isSpent()) {
        noted.cutShort();
        break;
      }
      effort.lookAt(history.endOp(toInitial.label(i)) - history.firstOp(toInitial.label(i)));
      Instance instance =
          new Instance(Edge.INITIAL, toInitial.from(i), toInitial.label(i), toInitial.mark(i));
      note(instance, labels, noted);
    }
    for (AnomalyType type : noted.chosen.keySet()) {
      keep(
          type,
          level,
          noted,
          i -> paths.evidence(i, labels.isCausal(i) ? null : components, labels.c4(i)));
    }
  }

  /** The instances found in one run. */
  private static final class Noted {
    private final Map<AnomalyType, List<Instance>> chosen = new EnumMap<>(AnomalyType.class);
    private final Map<AnomalyType, Long> counts = new EnumMap<>(AnomalyType.class);

    /** The largest of those chosen when they were pruned last. */
    private final Map<AnomalyType, Instance> largest = new EnumMap<>(AnomalyType.class);

    private boolean lowerBound;
    private boolean isCutShort;

    void cutShort() {
      isCutShort = true;
      lowerBound = true;
    }
  }

  /** Merges instances with those known; of one argued twice for a level the first is kept. */
  private void keep(
      AnomalyType type, Level level, Noted noted, Function<Instance, Evidence> argument) {
    Kind kind = kind(type);
    kind.violates.addAll(level.andStronger());
    long count = noted.counts.get(type);
    if (count > kind.count) {
      kind.count = count;
      kind.lowerBound = noted.lowerBound;
    }
    // A weaker axiom has fewer instances and may have listed all of them.
    kind.lowerBound |= noted.isCutShort;
    List<Instance> instances = noted.chosen.get(type);
    if (noted.lowerBound) {
      prune(instances, budget.maxWitnesses());
    }
    for (Instance instance : instances) {
      if (!kind.witnesses.isEmpty() && budget.expired()) {
        break;
      }
      if (!kind.shows(instance, level)) {
        kind.witnesses.put(new Argued(instance, level), argument.apply(instance));
      }
    }
  }

  private void note(Instance instance, Labels labels, Noted noted) {
    AnomalyType type = labels.of(instance);
    note(instance, type, noted);
    if (labels.isInitial(instance) && type != AnomalyType.NON_REPEATABLE_READ) {
      note(instance, AnomalyType.INITIAL_READ, noted);
    }
  }

  private void note(Instance instance, AnomalyType type, Noted noted) {
    noted.counts.merge(type, 1L, Long::sum);
    List<Instance> kept = noted.chosen.computeIfAbsent(type, t -> new ArrayList<>());
    Instance largest = noted.largest.get(type);
    // Of two equal ones the first is kept, so one that is not smaller would be pruned again.
    if (largest != null && bySize.compare(instance, largest) >= 0) {
      return;
    }
    kept.add(instance);
    if (kept.size() >= 2 * CANDIDATES) {
      prune(kept, CANDIDATES);
      noted.largest.put(type, kept.get(CANDIDATES - 1));
    }
  }

  private void prune(List<Instance> kept, int most) {
    if (kept.size() <= most) {
      return;
    }
    kept.sort(bySize);
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
