package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ComponentsTest {
  @Test
  void nodesShareAComponentExactlyWhenTheyReachEachOther() {
    Random random = new Random(5);
    for (int round = 0; round < 300; round++) {
      int nodes = 1 + random.nextInt(9);
      EdgeList edges = new EdgeList();
      boolean[][] reach = new boolean[nodes][nodes];
      for (int e = random.nextInt(2 * nodes); e > 0; e--) {
        int from = random.nextInt(nodes);
        int to = random.nextInt(nodes);
        edges.add(from, to, 0, 0);
        reach[from][to] = true;
      }
      for (int k = 0; k < nodes; k++) {
        for (int i = 0; i < nodes; i++) {
          for (int j = 0; j < nodes; j++) {
            reach[i][j] |= reach[i][k] && reach[k][j];
          }
        }
      }
      Components components = Components.of(nodes, edges);
      for (int i = 0; i < nodes; i++) {
        for (int j = 0; j < nodes; j++) {
          boolean together = i == j || (reach[i][j] && reach[j][i]);
          assertThat(components.same(i, j)).isEqualTo(together);
        }
      }
    }
  }

  @Test
  void aPathOfAMillionNodesNeedsNoDeepStack() {
    int nodes = 1_000_000;
    EdgeList edges = new EdgeList();
    for (int i = 0; i < nodes; i++) {
      edges.add(i, (i + 1) % nodes, 0, 0);
    }
    assertThat(Components.of(nodes, edges).count()).isEqualTo(1);
  }
}
