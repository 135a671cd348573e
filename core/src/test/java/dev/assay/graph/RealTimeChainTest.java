package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RealTimeChainTest {
  private static final long UNKNOWN = -1;

  @Test
  void anIntervalReachesAnotherExactlyWhenItEndedBeforeThatBegan() {
    Random random = new Random(13);
    for (int round = 0; round < 2_000; round++) {
      int count = 1 + random.nextInt(8);
      long[] start = new long[count];
      long[] end = new long[count];
      for (int i = 0; i < count; i++) {
        long time = random.nextInt(12);
        start[i] = random.nextInt(6) == 0 ? UNKNOWN : time;
        end[i] = random.nextInt(6) == 0 ? UNKNOWN : time + random.nextInt(4);
      }
      EdgeList edges = new EdgeList();
      int nodes = build(count, start, end, edges);
      assertThat(edges.size()).isLessThanOrEqualTo(3 * count);
      for (int a = 0; a < count; a++) {
        BreadthFirstSearch reached = from(a, nodes, count, edges);
        for (int b = 0; b < count; b++) {
          boolean before = a != b && end[a] != UNKNOWN && start[b] != UNKNOWN && end[a] < start[b];
          assertThat(a != b && reached.hasReached(b)).isEqualTo(before);
        }
      }
    }
  }

  private static int build(int count, long[] start, long[] end, EdgeList edges) {
    int[] nodes = {count};
    RealTimeChain.build(
        IntStream.range(0, count).filter(i -> start[i] != UNKNOWN).toArray(),
        i -> start[i],
        IntStream.range(0, count).filter(i -> end[i] != UNKNOWN).toArray(),
        i -> end[i],
        new RealTimeChain.Sink() {
          @Override
          public int instant(int before) {
            if (before >= 0) {
              edges.add(before, nodes[0], 0, 0);
            }
            return nodes[0]++;
          }

          @Override
          public void ended(int interval, int instant) {
            edges.add(interval, instant, 0, 0);
          }

          @Override
          public void began(int instant, int interval) {
            edges.add(instant, interval, 0, 0);
          }
        });
    return nodes[0];
  }

  /** What an interval reaches by instants alone. */
  private static BreadthFirstSearch from(int interval, int nodes, int count, EdgeList edges) {
    Digraph graph = Digraph.successors(nodes, edges);
    BreadthFirstSearch search = new BreadthFirstSearch(nodes);
    search.start(interval);
    for (int node = search.next(); node >= 0; node = search.next()) {
      boolean goesOn = node == interval || node >= count;
      for (int place = graph.first(node); goesOn && place < graph.end(node); place++) {
        search.reach(graph.neighbour(place), graph.edge(place));
      }
    }
    return search;
  }
}
