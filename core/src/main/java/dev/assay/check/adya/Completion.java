package dev.assay.check.adya;

import dev.assay.check.Budget;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.Dependencies;
import dev.assay.infer.ListChains;
import dev.assay.level.CycleKind;
import dev.assay.level.ForbiddenCycles;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Tries to show that a level holds although the order of appends that no read shows is unknown:
 * orders them by a topological order of the edges that the level respects, and checks whether the
 * level's condition is then met.
 */
final class Completion {
  private static final int DEPENDENCIES = CycleKind.G1C.dependencies();

  private final AdyaGraph graph;
  private final Dependencies dependencies;
  private final History history;
  private final CyclicSubgraph whole;
  private final Budget budget;
  private final Predicate<Level> isOpen;
  private final BiConsumer<Level, String> hold;
  private final Consumer<Evidence> violate;

  Completion(
      AdyaGraph graph,
      Dependencies dependencies,
      Budget budget,
      Predicate<Level> isOpen,
      BiConsumer<Level, String> hold,
      Consumer<Evidence> violate) {
    this.graph = graph;
    this.dependencies = dependencies;
    this.history = graph.history();
    this.budget = budget;
    this.isOpen = isOpen;
    this.hold = hold;
    this.violate = violate;
    this.whole = CyclicSubgraph.whole(graph);
  }

  void run() {
    List<Level> strongestFirst = new ArrayList<>(Level.definedByCycles());
    Collections.reverse(strongestFirst);
    for (Level level : strongestFirst) {
      boolean timed = !level.needsRealTime() || graph.hasRealTime();
      if (timed && !budget.expired() && isOpen.test(level)) {
        tryLevel(level);
      }
    }
  }

  private void tryLevel(Level level) {
    Events events = Events.of(level.cycles());
    if (events != null) {
      tryEvents(events, level);
    } else if (level.cycles() == ForbiddenCycles.AT_MOST_ONE_RW) {
      Components components = whole.components(DEPENDENCIES | level.orders().kinds());
      Conditions completed = completed(positions(components));
      if (!completed.oneAntiDependencyIsCyclic(level.orders()) && !completed.gaveUp()) {
        hold(level);
      }
    } else if (level == Level.UPDATE_ATOMIC && !history.uses(OpKind.Type.REGISTER)) {
      tryUpdateAtomic();
    }
  }

  private void tryEvents(Events events, Level level) {
    int kinds = DEPENDENCIES | AdyaGraph.RW | level.orders().kinds();
    Components components = whole.eventComponents(events, kinds);
    int[] position = new int[graph.transactions()];
    for (int txn = 0; txn < position.length; txn++) {
      position[txn] = -components.of(whole.commit(txn));
    }
    if (!completed(position).eventsAreCyclic(events, level.orders())) {
      hold(level);
    }
  }

  private void tryUpdateAtomic() {
    Components components = whole.components(DEPENDENCIES | AdyaGraph.SO);
    if (Conditions.isCyclic(components)) {
      return;
    }
    List<List<Edge>> missed =
        new UpdateAtomic(dependencies, positions(components)).missedVersions();
    if (missed.isEmpty()) {
      hold(Level.UPDATE_ATOMIC);
    } else if (!dependencies.hasOpenOrders()) {
      missed.forEach(edges -> violate.accept(Evidence.ofEdges(edges)));
    }
  }

  private void hold(Level level) {
    hold.accept(level, "some order of the appends that no read shows gives no forbidden cycle");
  }

  private int[] positions(Components components) {
    int[] position = new int[graph.transactions()];
    for (int txn = 0; txn < position.length; txn++) {
      position[txn] = -components.of(txn);
    }
    return position;
  }

  private Conditions completed(int[] position) {
    ListChains chains = dependencies.lists().chains();
    int[] appends = UpdateAtomic.ordered(chains, history, position);
    EdgeList overwrites = new EdgeList();
    for (int key = 0; key < chains.keys(); key++) {
      for (int i = chains.shownEnd(key) + 1; i < chains.end(key); i++) {
        int from = history.transactionOf(appends[i - 1]);
        int to = history.transactionOf(appends[i]);
        if (from != to) {
          overwrites.add(from, to, key, appends[i]);
        }
      }
    }
    return new Conditions(CyclicSubgraph.of(graph.with(overwrites)), budget);
  }
}
