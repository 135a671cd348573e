package dev.assay.check.strong;

import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lists the violations of a history that is known to have one: looks for arguments in every group
 * of transactions connected by keys and sessions, so that one violation does not hide another in
 * unrelated transactions. Skips large histories.
 */
final class ViolationListing {
  /** Maximum number of transactions in a history to list. */
  private static final int MAX_TRANSACTIONS = 2_000;

  /** Maximum number of transactions in a group to list. */
  private static final int MAX_IN_GROUP = 200;

  /** Maximum number of arguments against a level, each without the transactions of the others. */
  private static final int MAX_ROUNDS = 8;

  private final Instance instance;
  private final Refutation refutation;
  private final List<Model> strongest;
  private final Budget budget;

  /**
   * Prepares.
   *
   * @param strongest levels that imply all others, among those the history has the times for
   */
  ViolationListing(Instance instance, Refutation refutation, List<Model> strongest, Budget budget) {
    this.instance = instance;
    this.refutation = refutation;
    this.strongest = strongest;
    this.budget = budget;
  }

  List<Anomaly> run() {
    List<Anomaly> found = new ArrayList<>();
    if (instance.size() <= MAX_TRANSACTIONS) {
      for (BitSet group : groups()) {
        boolean few = group.cardinality() > 1 && group.cardinality() <= MAX_IN_GROUP;
        if (few && !budget.expired()) {
          list(group, found);
        }
      }
    }
    return found;
  }

  /** Weaker levels first: a violation of one is not reported again for stronger ones. */
  private void list(BitSet group, List<Anomaly> found) {
    if (strongest.stream().allMatch(model -> refutation.core(instance, model, group, 0) == null)) {
      return;
    }
    Map<Level, BitSet> rest = new EnumMap<>(Level.class);
    for (Level level : refutation.levels()) {
      for (int round = 0; round < MAX_ROUNDS && !budget.expired(); round++) {
        BitSet left = rest.getOrDefault(level, group);
        BitSet core = refutation.core(instance, Model.of(level), left, CoreMinimiser.MAX_WORK);
        if (core == null) {
          break;
        }
        rest.computeIfAbsent(level, l -> (BitSet) group.clone()).andNot(core);
        for (Anomaly anomaly : refutation.arguments(instance.restrictedTo(core), Model.of(level))) {
          found.add(anomaly);
          for (Level violated : anomaly.violates()) {
            rest.computeIfAbsent(violated, l -> (BitSet) group.clone()).andNot(core);
          }
        }
      }
    }
  }

  /** The connected components of members that share a key or a session. */
  private List<BitSet> groups() {
    History history = instance.history;
    int keys = history.keys().count();
    EdgeList links = new EdgeList();
    for (int member = 0; member < instance.size(); member++) {
      int txn = instance.members[member];
      link(member, instance.size() + keys + history.session(txn), links);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (instance.isRead(op) || instance.isWrite(op)) {
          link(member, instance.size() + history.key(op), links);
        }
      }
    }
    Components components = Components.of(instance.size() + keys + history.sessionCount(), links);
    Map<Integer, BitSet> groups = new TreeMap<>();
    BitSet broken = new BitSet();
    for (int member = 0; member < instance.size(); member++) {
      groups.computeIfAbsent(components.of(member), c -> new BitSet()).set(member);
      if (readsIntermediate(instance.members[member])) {
        broken.set(components.of(member));
      }
    }
    groups.keySet().removeIf(broken::get);
    return List.copyOf(groups.values());
  }

  /** Whether a transaction has an intermediate read: then versions do not order transactions. */
  private boolean readsIntermediate(int txn) {
    History history = instance.history;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int write = instance.isRead(op) ? instance.sourceOp(op) : -1;
      if (write >= 0 && history.lastWrite(history.transactionOf(write), history.key(op)) != write) {
        return true;
      }
    }
    return false;
  }

  private static void link(int a, int b, EdgeList links) {
    links.add(a, b, 0, 0);
    links.add(b, a, 0, 0);
  }
}
