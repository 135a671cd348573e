package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The graph, its orders and its shortest paths, each against the definition on small graphs. */
class DigraphTest {
  private static final int ROUNDS = 1_000;

  private final Random random = new Random(11);
  private int nodes;
  private EdgeList edges;

  /** Listed first; edges are numbered on from here. */
  private EdgeList earlier;

  private void randomGraph() {
    nodes = 1 + random.nextInt(8);
    edges = new EdgeList();
    earlier = new EdgeList();
    for (int e = random.nextInt(2 * nodes); e > 0; e--) {
      EdgeList list = random.nextInt(3) == 0 ? earlier : edges;
      list.add(random.nextInt(nodes), random.nextInt(nodes), 0, 0);
    }
  }

  private int size() {
    return earlier.size() + edges.size();
  }

  private int from(int edge) {
    return edge < earlier.size() ? earlier.from(edge) : edges.from(edge - earlier.size());
  }

  private int to(int edge) {
    return edge < earlier.size() ? earlier.to(edge) : edges.to(edge - earlier.size());
  }

  @Test
  void rowsListTheEdgesOfEachNodeInOrder() {
    for (int round = 0; round < ROUNDS; round++) {
      randomGraph();
      Digraph after = Digraph.successors(nodes, earlier, edges);
      Digraph before = Digraph.predecessors(nodes, earlier, edges);
      Digraph even = after.filter(place -> after.edge(place) % 2 == 0);
      assertThat(after.nodes()).isEqualTo(nodes);
      assertThat(after.size()).isEqualTo(size());
      for (int n = 0; n < nodes; n++) {
        int node = n;
        List<Integer> leaving =
            IntStream.range(0, size()).filter(e -> from(e) == node).boxed().toList();
        List<Integer> entering =
            IntStream.range(0, size()).filter(e -> to(e) == node).boxed().toList();
        assertThat(row(after, node)).isEqualTo(leaving);
        assertThat(row(before, node)).isEqualTo(entering);
        assertThat(row(even, node)).isEqualTo(leaving.stream().filter(e -> e % 2 == 0).toList());
        for (int place = after.first(node); place < after.end(node); place++) {
          assertThat(after.neighbour(place)).isEqualTo(to(after.edge(place)));
        }
        for (int place = before.first(node); place < before.end(node); place++) {
          assertThat(before.neighbour(place)).isEqualTo(from(before.edge(place)));
        }
      }
      assertThat(Components.of(Digraph.successors(nodes, edges)).count())
          .isEqualTo(Components.of(nodes, edges).count());
    }
  }

  private static List<Integer> row(Digraph graph, int node) {
    return IntStream.range(graph.first(node), graph.end(node)).map(graph::edge).boxed().toList();
  }

  @Test
  void anOrderPutsEachNodeAfterItsPredecessorsUnlessThereIsACycle() {
    int cyclic = 0;
    for (int round = 0; round < ROUNDS; round++) {
      randomGraph();
      int[] preferred = shuffled();
      int[] order =
          TopologicalOrder.of(Digraph.predecessors(nodes, earlier, edges), preferred.clone());
      boolean hasCycle = IntStream.range(0, size()).anyMatch(e -> distance(to(e), from(e)) >= 0);
      assertThat(order == null).isEqualTo(hasCycle);
      if (order == null) {
        cyclic++;
        continue;
      }
      int[] position = TopologicalOrder.positions(order);
      assertThat(order).containsExactlyInAnyOrder(TopologicalOrder.natural(nodes));
      boolean follows = true;
      int[] wanted = TopologicalOrder.positions(preferred);
      for (int e = 0; e < size(); e++) {
        assertThat(position[from(e)]).isLessThan(position[to(e)]);
        follows &= wanted[from(e)] < wanted[to(e)];
      }
      if (follows) {
        assertThat(order).containsExactly(preferred);
      }
    }
    assertThat(cyclic).isBetween(ROUNDS / 10, ROUNDS * 9 / 10);
  }

  private int[] shuffled() {
    List<Integer> order = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
    Collections.shuffle(order, random);
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void aSearchFindsAShortestPathToEachNodeThatCanBeReached() {
    for (int round = 0; round < ROUNDS; round++) {
      randomGraph();
      Digraph graph = Digraph.successors(nodes, earlier, edges);
      BreadthFirstSearch search = new BreadthFirstSearch(nodes);
      for (int root = 0; root < nodes; root++) {
        search.start(root);
        for (int node = search.next(); node >= 0; node = search.next()) {
          assertThat(search.distance()).isEqualTo(distance(root, node));
          for (int place = graph.first(node); place < graph.end(node); place++) {
            search.reach(graph.neighbour(place), graph.edge(place));
          }
        }
        for (int node = 0; node < nodes; node++) {
          assertThat(search.hasReached(node)).isEqualTo(distance(root, node) >= 0);
          if (search.hasReached(node)) {
            assertIsPath(search.path(node), root, node);
            assertThat(search.path(node)).hasSize(distance(root, node));
          }
        }
      }
    }
  }

  @Test
  void edgesThatAreNoStepsCostNothing() {
    for (int round = 0; round < ROUNDS; round++) {
      randomGraph();
      Digraph graph = Digraph.successors(nodes, earlier, edges);
      BreadthFirstSearch search = new BreadthFirstSearch(nodes);
      search.start(0);
      int[] steps = new int[nodes];
      for (int node = search.next(); node >= 0; node = search.next()) {
        steps[node] = search.distance();
        for (int place = graph.first(node); place < graph.end(node); place++) {
          int to = graph.neighbour(place);
          boolean wasReached = search.hasReached(to);
          // A node of odd number is entered at no cost.
          boolean isNew =
              to % 2 == 1
                  ? search.reachHere(to, graph.edge(place))
                  : search.reach(to, graph.edge(place));
          assertThat(isNew).isNotEqualTo(wasReached);
        }
      }
      int[] cost = costs();
      for (int node = 0; node < nodes; node++) {
        assertThat(search.hasReached(node)).isEqualTo(cost[node] < Integer.MAX_VALUE);
        if (search.hasReached(node)) {
          assertThat(steps[node]).isEqualTo(cost[node]);
        }
      }
    }
  }

  /** For each node the number of nodes of even number on the best path from node 0. */
  private int[] costs() {
    int[] cost = new int[nodes];
    Arrays.fill(cost, Integer.MAX_VALUE);
    cost[0] = 0;
    for (int i = 0; i < nodes; i++) {
      for (int e = 0; e < size(); e++) {
        if (cost[from(e)] < Integer.MAX_VALUE) {
          cost[to(e)] = Math.min(cost[to(e)], cost[from(e)] + (to(e) % 2 == 1 ? 0 : 1));
        }
      }
    }
    return cost;
  }

  private void assertIsPath(int[] path, int root, int goal) {
    int at = root;
    for (int edge : path) {
      assertThat(from(edge)).isEqualTo(at);
      at = to(edge);
    }
    assertThat(at).isEqualTo(goal);
  }

  /** The number of edges on a shortest path, by relaxing all edges; −1 where there is none. */
  private int distance(int root, int goal) {
    int[] distance = new int[nodes];
    Arrays.fill(distance, -1);
    distance[root] = 0;
    for (int length = 0; length < nodes; length++) {
      for (int e = 0; e < size(); e++) {
        if (distance[from(e)] == length && distance[to(e)] < 0) {
          distance[to(e)] = length + 1;
        }
      }
    }
    return distance[goal];
  }
}
