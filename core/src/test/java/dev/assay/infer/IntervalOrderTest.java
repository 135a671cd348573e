package dev.assay.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalOrderTest {
  private static boolean before(long[] end, long[] begin, int v, int u) {
    return v != u && end[v] != History.ABSENT && begin[u] != History.ABSENT && end[v] < begin[u];
  }

  private static boolean[][] closure(boolean[][] relation) {
    int n = relation.length;
    boolean[][] result = new boolean[n][];
    for (int i = 0; i < n; i++) {
      result[i] = relation[i].clone();
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          result[i][j] |= result[i][k] && result[k][j];
        }
      }
    }
    return result;
  }

  @Test
  void thePairsListedImplyTheWholeOrderAndNothingElse() {
    Random random = new Random(1);
    int cyclic = 0;
    for (int round = 0; round < 20_000; round++) {
      int n = 1 + random.nextInt(6);
      int range = 2 + random.nextInt(12);
      long[] end = new long[n];
      long[] begin = new long[n];
      boolean[][] relation = new boolean[n][n];
      for (int i = 0; i < n; i++) {
        end[i] = random.nextInt(8) == 0 ? History.ABSENT : random.nextInt(range);
        begin[i] = random.nextInt(8) == 0 ? History.ABSENT : random.nextInt(range);
      }
      for (int v = 0; v < n; v++) {
        for (int u = 0; u < n; u++) {
          relation[v][u] = before(end, begin, v, u);
        }
      }
      boolean[][] closed = closure(relation);
      boolean hasCycle = false;
      for (int v = 0; v < n; v++) {
        hasCycle |= closed[v][v];
      }
      IntervalOrder order = new IntervalOrder(n, end, begin);
      int[] circle = order.cycle();
      assertThat(circle != null).isEqualTo(hasCycle);
      if (hasCycle) {
        cyclic++;
        assertThat(relation[circle[0]][circle[1]]).isTrue();
        assertThat(relation[circle[1]][circle[0]]).isTrue();
        continue;
      }
      boolean[][] listed = new boolean[n][n];
      long[] size = new long[1];
      order.forEach(
          (v, u) -> {
            assertThat(listed[v][u]).isFalse();
            listed[v][u] = true;
            size[0]++;
          });
      assertThat(order.size()).isEqualTo(size[0]);
      assertThat(closure(listed)).isDeepEqualTo(closed);
    }
    assertThat(cyclic).isBetween(1_000, 19_000);
  }

  @Test
  void versionsOneAfterAnotherAreAChain() {
    int n = 10_000;
    long[] end = new long[n];
    long[] begin = new long[n];
    for (int i = 0; i < n; i++) {
      begin[i] = 10L * i;
      end[i] = begin[i] + 5;
    }
    assertThat(new IntervalOrder(n, end, begin).size()).isEqualTo(n - 1);
  }
}
