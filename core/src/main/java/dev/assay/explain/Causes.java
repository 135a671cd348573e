package dev.assay.explain;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Sorts the anomalies of a report by what caused them, so that a reader sees one finding per cause.
 *
 * <p>Two anomalies have the same cause if an instance of one contains all transactions of the
 * other, two at least unless both have only one, or if both rest on the same read of an old version
 * (the same rw or cm edge). Smaller instances come first, so a large cycle joins the small one
 * inside it.
 */
public final class Causes {
  /** More instances of an anomaly than this are not compared. */
  private static final int MAX_COMPARED = 10;

  private final Explainer explainer;
  private final Predicate<Anomaly> decides;
  private final List<Group> groups = new ArrayList<>();

  /** An instance, and how much of it there is to read. */
  private record Instance(Anomaly anomaly, Evidence evidence, Story story, int size, int steps) {
    /** Whether the anomaly is what people call the shape of this instance. */
    private boolean isTypical() {
      return anomaly.type().title().equals(story.name());
    }
  }

  /** Anomalies with one cause. */
  private static final class Group {
    private final Instance best;
    private final Set<Integer> transactions;
    private final Set<Edge> misses;
    private final List<Anomaly> members = new ArrayList<>();

    Group(Instance best, Set<Integer> transactions) {
      this.best = best;
      this.transactions = transactions;
      this.misses = misses(best.evidence);
      members.add(best.anomaly);
    }

    boolean explains(Evidence other, Set<Integer> otherTransactions) {
      // What one transaction shows alone does not explain the cycles it happens to be on.
      boolean telling = transactions.size() > 1 || otherTransactions.size() == 1;
      if (telling && otherTransactions.containsAll(transactions)) {
        return true;
      }
      return misses(other).stream().anyMatch(misses::contains);
    }
  }

  private Causes(Explainer explainer, Predicate<Anomaly> decides) {
    this.explainer = explainer;
    this.decides = decides;
  }

  /**
   * The causes of what was found: first those that decide the verdict, and the easiest to follow
   * first.
   *
   * @param explainer that of the history
   * @param anomalies what was found in it
   * @param decides which of them are reasons for a failure
   */
  public static List<Cause> of(
      Explainer explainer, List<Anomaly> anomalies, Predicate<Anomaly> decides) {
    return new Causes(explainer, decides).of(anomalies);
  }

  private List<Cause> of(List<Anomaly> anomalies) {
    if (anomalies.isEmpty()) {
      // Most histories: the comparators below take 10 ms to set up.
      return List.of();
    }
    List<Instance> instances = new ArrayList<>();
    for (Anomaly anomaly : anomalies) {
      instances.add(instance(anomaly));
    }
    // The sort is stable: among equals, the worst anomaly comes first.
    instances.sort(
        Comparator.<Instance, Boolean>comparing(one -> !decides.test(one.anomaly))
            .thenComparing(one -> !one.story.isPlain())
            .thenComparingInt(Instance::size)
            .thenComparing(one -> !one.isTypical())
            .thenComparingInt(Instance::steps));
    instances.forEach(this::sort);
    List<Cause> causes = new ArrayList<>();
    for (Group group : groups) {
      causes.add(cause(group));
    }
    return causes;
  }

  private Instance instance(Anomaly anomaly) {
    Evidence evidence = anomaly.witnesses().get(0);
    Story story = explainer.story(anomaly.type(), evidence);
    int[] steps = new int[1];
    Edge.forEachReason(evidence.edges(), edge -> steps[0]++);
    int size = explainer.transactions(evidence).size();
    return new Instance(anomaly, evidence, story, size, steps[0]);
  }

  private void sort(Instance instance) {
    List<Evidence> witnesses = instance.anomaly.witnesses();
    for (Evidence evidence : witnesses.subList(0, Math.min(MAX_COMPARED, witnesses.size()))) {
      Set<Integer> transactions = transactions(evidence);
      for (Group group : groups) {
        if (group.explains(evidence, transactions)) {
          group.members.add(instance.anomaly);
          return;
        }
      }
    }
    groups.add(new Group(instance, transactions(instance.evidence)));
  }

  /** The transactions of the cycle, and those whose reads put commits in order. */
  private Set<Integer> transactions(Evidence evidence) {
    Set<Integer> transactions = new HashSet<>();
    for (int op : evidence.operations()) {
      transactions.add(explainer.transactionOf(op));
    }
    for (Edge edge : evidence.edges()) {
      addEnds(edge, transactions);
      if (edge.kind() == EdgeKind.CM) {
        edge.because().forEach(reason -> addEnds(reason, transactions));
      }
    }
    transactions.remove(Edge.INITIAL);
    return transactions;
  }

  private static void addEnds(Edge edge, Set<Integer> transactions) {
    transactions.add(edge.from());
    transactions.add(edge.to());
  }

  /** The edges by which a version was missed, without the reasons for them. */
  private static Set<Edge> misses(Evidence evidence) {
    Set<Edge> misses = new HashSet<>();
    for (Edge edge : evidence.edges()) {
      if (edge.kind() == EdgeKind.RW || edge.kind() == EdgeKind.CM) {
        misses.add(Edge.of(edge.from(), edge.to(), edge.kind(), edge.key(), -1, -1));
      }
    }
    return misses;
  }

  private Cause cause(Group group) {
    Set<AnomalyType> names = new LinkedHashSet<>();
    Set<Level> violates = EnumSet.noneOf(Level.class);
    boolean decisive = false;
    for (Anomaly anomaly : group.members) {
      names.add(anomaly.type());
      violates.addAll(anomaly.violates());
      decisive |= decides.test(anomaly);
    }
    Instance best = group.best;
    return new Cause(
        best.anomaly, best.evidence, List.copyOf(names), decisive, violates, best.story);
  }
}
