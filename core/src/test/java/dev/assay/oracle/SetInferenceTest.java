package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.SetDependencies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Dependencies of sets against every order of the transactions that count. In an order that
 * explains a read, what it shows are the additions of some first transactions and no others.
 */
class SetInferenceTest {
  /** A read before any own addition to the set. */
  private record OuterRead(int reader, int key, Set<Integer> elements) {}

  private static List<OuterRead> outerReads(SmallHistory history, Resolution resolution) {
    List<OuterRead> result = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      Set<Integer> added = new HashSet<>();
      for (Op op : history.txns().get(t).ops()) {
        if (op instanceof Op.Add) {
          added.add(op.key());
        } else if (op instanceof Op.SetRead read
            && resolution.counts(t)
            && !added.contains(op.key())) {
          result.add(new OuterRead(t, op.key(), new HashSet<>(read.elements())));
        }
      }
    }
    return result;
  }

  private static Set<Integer> added(Txn txn, int key) {
    Set<Integer> elements = new HashSet<>();
    for (Op op : txn.ops()) {
      if (op instanceof Op.Add && op.key() == key) {
        elements.add(op.written());
      }
    }
    return elements;
  }

  /** How many transactions from the front of the order a read shows; −1 if no number fits. */
  private static int shown(SmallHistory history, int[] order, OuterRead read) {
    Set<Integer> state = new HashSet<>();
    int best = state.equals(read.elements) ? 0 : -1;
    for (int i = 0; i < order.length; i++) {
      state.addAll(added(history.txns().get(order[i]), read.key));
      if (best < 0 && state.equals(read.elements)) {
        best = i + 1;
      }
    }
    return best;
  }

  private static String refuted(SmallHistory history, SetDependencies found) {
    Resolution resolution = Resolution.all(history).get(0);
    List<OuterRead> reads = outerReads(history, resolution);
    for (int[] order : orders(resolution)) {
      boolean explains = true;
      for (OuterRead read : reads) {
        int shown = shown(history, order, read);
        explains &= shown >= 0 && !isAmong(order, shown, read.reader);
      }
      if (!explains) {
        continue;
      }
      for (OuterRead read : reads) {
        int shown = shown(history, order, read);
        String wrong = refuted(history, found, read, order, shown);
        if (!wrong.isEmpty()) {
          return wrong;
        }
      }
    }
    return "";
  }

  private static String refuted(
      SmallHistory history, SetDependencies found, OuterRead read, int[] order, int shown) {
    History built = history.toHistory();
    for (int e = 0; e < found.wr().size(); e++) {
      boolean same = about(built, found.wr(), e, read) && found.wr().to(e) == read.reader;
      if (same && place(order, found.wr().from(e)) >= shown) {
        return "wr " + found.wr().from(e) + " -> " + found.wr().to(e);
      }
    }
    for (int e = 0; e < found.rw().size(); e++) {
      boolean same = about(built, found.rw(), e, read) && found.rw().from(e) == read.reader;
      if (same && place(order, found.rw().to(e)) < shown) {
        return "rw " + found.rw().from(e) + " -> " + found.rw().to(e);
      }
    }
    return "";
  }

  /** Whether an edge comes from a read with this result. */
  private static boolean about(History built, EdgeList edges, int e, OuterRead read) {
    int op = edges.mark(e);
    Set<Integer> elements = new HashSet<>();
    for (int i = 0; i < built.sequences().length(built.value(op)); i++) {
      elements.add(built.sequences().element(built.value(op), i));
    }
    return built.keys().get(edges.label(e)).equals((long) read.key)
        && elements.equals(read.elements);
  }

  private static List<int[]> orders(Resolution resolution) {
    List<Integer> counting = new ArrayList<>();
    for (int t = 0; t < resolution.history.txns().size(); t++) {
      if (resolution.counts(t)) {
        counting.add(t);
      }
    }
    List<int[]> orders = new ArrayList<>();
    for (int[] place : Orders.of(counting.size())) {
      int[] order = new int[place.length];
      for (int i = 0; i < place.length; i++) {
        order[place[i]] = counting.get(i);
      }
      orders.add(order);
    }
    return orders;
  }

  private static int place(int[] order, int txn) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] == txn) {
        return i;
      }
    }
    throw new AssertionError(txn + " does not count");
  }

  private static boolean isAmong(int[] order, int count, int txn) {
    return place(order, txn) < count;
  }

  @Test
  void everyDependencyIsThereInEveryOrderThatExplainsTheReads() {
    int edges = 0;
    for (Shape shape : List.of(Shape.committed(5, 2, 3), Shape.committed(5, 1, 3).withOutcomes())) {
      RandomHistories histories = new RandomHistories(shape, 41);
      for (int i = 0; i < 1_500; i++) {
        SmallHistory history = histories.sets();
        History built = history.toHistory();
        SetDependencies found = new SetDependencies(built, ReadsFrom.of(built));
        edges += found.wr().size() + found.rw().size();
        assertThat(refuted(history, found)).as(history.text()).isEmpty();
        assertThat(found.incompleteKeys()).isZero();
      }
    }
    assertThat(edges).isGreaterThan(1_000);
  }

  @Test
  void theDependenciesHaveNoCycleExactlyWhenSomeSerialOrderExplainsTheReads() {
    RandomHistories histories = new RandomHistories(Shape.committed(5, 2, 2).withOutcomes(), 42);
    int serial = 0;
    int cyclic = 0;
    for (int i = 0; i < 4_000; i++) {
      SmallHistory history = histories.sets();
      Resolution resolution = Resolution.all(history).get(0);
      if (!ReadOracle.anomalies(resolution).isEmpty()) {
        continue;
      }
      List<OuterRead> reads = outerReads(history, resolution);
      boolean explained = false;
      for (int[] order : orders(resolution)) {
        boolean all = true;
        for (OuterRead read : reads) {
          all &= explains(history, order, read);
        }
        explained |= all;
      }
      History built = history.toHistory();
      SetDependencies found = new SetDependencies(built, ReadsFrom.of(built));
      EdgeList edges = new EdgeList();
      edges.addAll(found.wr());
      edges.addAll(found.rw());
      int nodes = built.transactionCount();
      boolean acyclic = Components.of(nodes, edges).count() == nodes;
      assertThat(acyclic).as(history.text()).isEqualTo(explained);
      serial += explained ? 1 : 0;
      cyclic += explained ? 0 : 1;
    }
    assertThat(serial).isGreaterThan(50);
    assertThat(cyclic).isGreaterThan(50);
  }

  private static boolean explains(SmallHistory history, int[] order, OuterRead read) {
    Set<Integer> state = new HashSet<>();
    for (int i = 0; i < place(order, read.reader); i++) {
      state.addAll(added(history.txns().get(order[i]), read.key));
    }
    return state.equals(read.elements);
  }
}
