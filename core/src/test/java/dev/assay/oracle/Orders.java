package dev.assay.oracle;

import java.util.ArrayList;
import java.util.List;

/** All total orders of a few transactions, each as the place of every transaction. */
final class Orders {
  private static final int LARGEST = 7;
  private static final List<List<int[]>> BY_SIZE = bySize();

  private Orders() {}

  static List<int[]> of(int size) {
    return BY_SIZE.get(size);
  }

  private static List<List<int[]>> bySize() {
    List<List<int[]>> all = new ArrayList<>();
    all.add(List.of(new int[0]));
    for (int size = 1; size <= LARGEST; size++) {
      List<int[]> orders = new ArrayList<>();
      for (int[] smaller : all.get(size - 1)) {
        for (int place = 0; place < size; place++) {
          orders.add(insert(smaller, place));
        }
      }
      all.add(orders);
    }
    return all;
  }

  /** Puts one more transaction at a place and moves those from there on. */
  private static int[] insert(int[] places, int place) {
    int[] result = new int[places.length + 1];
    for (int i = 0; i < places.length; i++) {
      result[i] = places[i] < place ? places[i] : places[i] + 1;
    }
    result[places.length] = place;
    return result;
  }
}
