package dev.assay.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IntListTest {
  @Test
  void behavesLikeAListOfIntegers() {
    Random random = new Random(3);
    for (int round = 0; round < 100; round++) {
      IntList ints = random.nextBoolean() ? new IntList() : new IntList(random.nextInt(3));
      List<Integer> model = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        change(random, ints, model);
        assertThat(ints.toArray()).containsExactly(model.stream().mapToInt(i -> i).toArray());
        assertThat(ints.size()).isEqualTo(model.size());
        assertThat(ints.isEmpty()).isEqualTo(model.isEmpty());
        if (!model.isEmpty()) {
          assertThat(ints.last()).isEqualTo(model.get(model.size() - 1));
        }
      }
    }
  }

  private static void change(Random random, IntList ints, List<Integer> model) {
    int item = random.nextInt(100);
    int index = model.isEmpty() ? 0 : random.nextInt(model.size());
    switch (random.nextInt(16)) {
      case 0 -> {
        ints.truncate(index);
        model.subList(index, model.size()).clear();
      }
      case 1 -> {
        if (random.nextBoolean()) {
          ints.clear();
        } else {
          IntList copy = ints.take();
          assertThat(copy.toArray()).containsExactly(model.stream().mapToInt(i -> i).toArray());
          copy.add(item);
          assertThat(copy.size()).isEqualTo(model.size() + 1);
          assertThat(copy.last()).isEqualTo(item);
        }
        model.clear();
      }
      case 2 -> {
        ints.sortDistinct();
        List<Integer> distinct = model.stream().sorted().distinct().toList();
        model.clear();
        model.addAll(distinct);
        assertThat(Math.max(-1, ints.binarySearch(item))).isEqualTo(model.indexOf(item));
      }
      case 3, 4 -> {
        if (!model.isEmpty()) {
          assertThat(ints.removeLast()).isEqualTo(model.remove(model.size() - 1));
        }
      }
      case 5, 6 -> {
        if (!model.isEmpty()) {
          ints.set(index, item);
          model.set(index, item);
          assertThat(ints.get(index)).isEqualTo(item);
        }
      }
      default -> {
        ints.add(item);
        model.add(item);
      }
    }
  }
}
