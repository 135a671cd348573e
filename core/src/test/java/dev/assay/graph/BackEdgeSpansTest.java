package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackEdgeSpansTest {
  private static final int NODES = 8;
  private static final int HUBS = 4;

  @Test
  void nodesOfOneCircleAreTogetherWhateverTheOrder() {
    Random random = new Random(1);
    int apart = 0;
    for (int round = 0; round < 2000; round++) {
      EdgeList edges = randomEdges(random, 3 + random.nextInt(12));
      Components components = Components.of(NODES + HUBS, edges);
      BackEdgeSpans stretches = new BackEdgeSpans(shuffled(random));
      stretches.addAll(NODES + HUBS, edges);
      for (int a = 0; a < NODES; a++) {
        for (int b = 0; b < NODES; b++) {
          boolean together = stretches.together(a, b);
          assertThat(together || a == b || !components.same(a, b)).isTrue();
          apart += together ? 0 : 1;
          boolean within =
              stretches.start(a) <= stretches.place(b) && stretches.place(b) <= stretches.end(a);
          assertThat(within).isEqualTo(together);
        }
      }
    }
    assertThat(apart).isPositive();
  }

  @Test
  void anOrderThatAllEdgesFollowHasNone() {
    EdgeList edges = new EdgeList();
    edges.add(2, 0, 0, 0);
    edges.add(0, 3, 0, 0);
    edges.add(3, 4, 0, 0);
    edges.add(4, 1, 0, 0);
    BackEdgeSpans stretches = new BackEdgeSpans(new int[] {2, 0, 1});
    stretches.addAll(5, edges);
    assertThat(stretches.isEmpty()).isTrue();
    stretches.add(1, 0);
    assertThat(stretches.isEmpty()).isFalse();
    assertThat(stretches.together(0, 1)).isTrue();
    assertThat(stretches.together(2, 0)).isFalse();
  }

  private static EdgeList randomEdges(Random random, int count) {
    EdgeList edges = new EdgeList();
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(NODES + HUBS);
      int to = random.nextInt(NODES + HUBS);
      if (from != to) {
        edges.add(from, to, 0, 0);
      }
    }
    return edges;
  }

  private static int[] shuffled(Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, NODES).boxed().toList());
    Collections.shuffle(order, random);
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}
