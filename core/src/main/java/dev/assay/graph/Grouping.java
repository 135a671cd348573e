package dev.assay.graph;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Ints in numbered groups, made by counting sort: the items of all groups in one array, group by
 * group. Within a group the items keep their order.
 */
public final class Grouping {
  private final int[] first;
  private final int[] items;

  /**
   * A grouping whose arrays are made already.
   *
   * @param first for each group the place of its first item, and then the end of the last group
   * @param items the items, group by group
   */
  public Grouping(int[] first, int[] items) {
    this.first = first;
    this.items = items;
  }

  /** The indices of an array by the group each entry names; negative entries are left out. */
  public static Grouping of(int groups, int[] groupOf) {
    Builder builder = new Builder(groups);
    for (int group : groupOf) {
      if (group >= 0) {
        builder.count(group);
      }
    }
    int[] items = new int[builder.total()];
    for (int item = 0; item < groupOf.length; item++) {
      if (groupOf[item] >= 0) {
        items[builder.place(groupOf[item])] = item;
      }
    }
    return builder.build(items);
  }

  /**
   * The numbers from 0 to before {@code count} by the group of each; those with a negative one are
   * left out.
   */
  public static Grouping of(int groups, int count, IntUnaryOperator groupOf) {
    int[] all = new int[count];
    for (int item = 0; item < count; item++) {
      all[item] = groupOf.applyAsInt(item);
    }
    return of(groups, all);
  }

  /** Items by the group at the same index of another list. */
  public static Grouping of(int groups, IntList groupOf, IntList items) {
    Builder builder = new Builder(groups);
    for (int i = 0; i < groupOf.size(); i++) {
      builder.count(groupOf.get(i));
    }
    int[] grouped = new int[builder.total()];
    for (int i = 0; i < groupOf.size(); i++) {
      grouped[builder.place(groupOf.get(i))] = items.get(i);
    }
    return builder.build(grouped);
  }

  /** Number of groups. */
  public int groups() {
    return first.length - 1;
  }

  /** Number of items in all groups. */
  public int size() {
    return first[first.length - 1];
  }

  /** The items of a group are those from this place on, to before {@link #end}. */
  public int first(int group) {
    return first[group];
  }

  public int end(int group) {
    return first[group + 1];
  }

  public int size(int group) {
    return first[group + 1] - first[group];
  }

  public int item(int place) {
    return items[place];
  }

  /** A copy of the items of a group. */
  public int[] items(int group) {
    return Arrays.copyOfRange(items, first[group], first[group + 1]);
  }

  /**
   * Finds the places of items that are more than an int each, or that are listed by a loop of the
   * caller. All items are {@linkplain #count counted}; after {@link #total} each is given its
   * {@linkplain #place place}, listed in the same order.
   */
  public static final class Builder {
    /**
     * Sizes of the groups, from the third entry on; with {@link #total} the place of the next item
     * of each group, from the second entry on. When all items are placed, the second entry is
     * therefore the end of the first group, which is where the second begins.
     */
    private final int[] next;

    public Builder(int groups) {
      next = new int[Math.addExact(groups, 2)];
    }

    public void count(int group) {
      next[group + 2]++;
    }

    /** Ends the counting; the number of all items. */
    public int total() {
      for (int i = 2; i < next.length; i++) {
        next[i] += next[i - 1];
      }
      return next[next.length - 1];
    }

    /** The place of the next item of a group. */
    public int place(int group) {
      return next[group + 1]++;
    }

    /** The grouping of items that are at their places. */
    public Grouping build(int[] items) {
      return new Grouping(Arrays.copyOf(next, next.length - 1), items);
    }
  }
}
