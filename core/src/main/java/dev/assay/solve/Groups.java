package dev.assay.solve;

/** Items in numbered groups, all in one array. */
final class Groups {
  private final int[] first;
  private final int[] item;

  private Groups(int[] first, int[] item) {
    this.first = first;
    this.item = item;
  }

  /** Pairs of a group and an item, in their order. */
  static Groups of(int groups, Ints group, Ints items) {
    int[] first = new int[groups + 1];
    for (int i = 0; i < group.size(); i++) {
      first[group.get(i) + 1]++;
    }
    int[] next = sums(first);
    int[] item = new int[items.size()];
    for (int i = 0; i < items.size(); i++) {
      item[next[group.get(i)]++] = items.get(i);
    }
    return new Groups(first, item);
  }

  /** The places of an array grouped by what stands there; negative entries are left out. */
  static Groups byKeyOf(int groups, int[] groupOf) {
    int[] first = new int[groups + 1];
    for (int group : groupOf) {
      if (group >= 0) {
        first[group + 1]++;
      }
    }
    int[] next = sums(first);
    int[] item = new int[first[groups]];
    for (int place = 0; place < groupOf.length; place++) {
      if (groupOf[place] >= 0) {
        item[next[groupOf[place]]++] = place;
      }
    }
    return new Groups(first, item);
  }

  private static int[] sums(int[] first) {
    for (int g = 0; g + 1 < first.length; g++) {
      first[g + 1] += first[g];
    }
    return first.clone();
  }

  int first(int group) {
    return first[group];
  }

  int end(int group) {
    return first[group + 1];
  }

  int size(int group) {
    return first[group + 1] - first[group];
  }

  int item(int place) {
    return item[place];
  }
}
