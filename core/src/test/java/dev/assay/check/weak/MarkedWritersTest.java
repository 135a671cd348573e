package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Marked candidates against a look at each of them, with many and with few of them. */
class MarkedWritersTest {
  private static final int RANKS = 1000;

  @Test
  void findsTheMarkedOnesFromEitherEndAndSkipsTheOthers() {
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      Candidates part = new Candidates();
      for (int key = 0; key < 3; key++) {
        int[] ranks = random.ints(400, 0, RANKS).sorted().distinct().toArray();
        part.begin(ranks, ranks.length);
        int first = random.nextInt(ranks.length);
        int end = first + random.nextInt(ranks.length - first + 1);
        part.add(RANKS - 1, 0, key, first, end, ranks.length);
      }
      long[] marks = new long[RANKS];
      MarkedWriters marked = new MarkedWriters(part, marks);
      for (int batch = 0; batch < 4; batch++) {
        Arrays.fill(marks, 0);
        for (int i = 0; i < batch * batch; i++) {
          marks[random.nextInt(RANKS)] |= 1L << random.nextInt(2);
        }
        marked.reset();
        for (int read = 0; read < part.size(); read++) {
          List<Integer> expected = marked(part, read, marks);
          assertThat(found(marked, read, false)).isEqualTo(expected);
          Collections.reverse(expected);
          assertThat(found(marked, read, true)).isEqualTo(expected);
          if (batch == 0) {
            assertThat(marked.examined()).isLessThan(3 * 64);
          }
        }
      }
    }
  }

  private static List<Integer> marked(Candidates part, int read, long[] marks) {
    List<Integer> places = new ArrayList<>();
    for (int w = part.firstWriter(read); w < part.endWriter(read); w++) {
      if ((marks[part.writer(w)] & 1) != 0) {
        places.add(w);
      }
    }
    return places;
  }

  private static List<Integer> found(MarkedWriters marked, int read, boolean fromLast) {
    List<Integer> places = new ArrayList<>();
    marked.start(read, 1, fromLast);
    for (int w = marked.next(); w >= 0; w = marked.next()) {
      places.add(w);
    }
    return places;
  }
}
