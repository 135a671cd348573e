package dev.assay.collect.store;

import java.util.Arrays;

/**
 * Immutable lists that share their beginnings: a list is the number of its last element's node,
 * which points to the list before it. Every version a store ever held thus stays readable at the
 * price of one node an append.
 */
public final class Lists {
  private int[] before = new int[64];
  private int[] element = new int[64];
  private int[] length = new int[64];
  private int count = 1;

  /** The list that has one element more. */
  public int append(int list, int newElement) {
    if (count == before.length) {
      int capacity = Growth.of(count);
      before = Arrays.copyOf(before, capacity);
      element = Arrays.copyOf(element, capacity);
      length = Arrays.copyOf(length, capacity);
    }
    before[count] = list;
    element[count] = newElement;
    length[count] = length[list] + 1;
    return count++;
  }

  public int length(int list) {
    return length[list];
  }

  /** Copies the elements, in order, to the beginning of an array that is long enough. */
  public void copy(int list, long[] target) {
    int node = list;
    for (int i = length[list] - 1; i >= 0; i--) {
      target[i] = element[node];
      node = before[node];
    }
  }
}
