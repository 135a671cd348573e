package dev.assay.collect.record;

import dev.assay.collect.workload.SplitMix;
import java.util.ArrayList;
import java.util.List;

/** Finds the nodes that a plan of faults names. */
final class Places {
  private Places() {}

  /**
   * The places of nodes such as {@code node 1,node 2}, {@code replicas}, or of the first side of
   * {@code primary|replicas}; none if there are no such nodes, or the sides are not all of them.
   */
  static List<Integer> of(String where, List<String> names) {
    String[] sides = where.split("\\|", -1);
    List<Integer> first = listed(sides[0], names);
    if (sides.length == 1 || first.isEmpty()) {
      return first;
    }
    List<Integer> second = listed(sides[1], names);
    boolean apart = first.stream().noneMatch(second::contains);
    boolean all = first.size() + second.size() == names.size();
    return apart && all && !second.isEmpty() ? first : List.of();
  }

  private static List<Integer> listed(String text, List<String> names) {
    List<Integer> places = new ArrayList<>();
    for (String part : text.split(",")) {
      String name = part.strip();
      int before = places.size();
      for (int i = 0; i < names.size(); i++) {
        // All replicas are "replicas".
        boolean one =
            names.get(i).equals(name) || names.get(i).replaceAll(" \\d+$", "s").equals(name);
        if (one && !places.contains(i)) {
          places.add(i);
        }
      }
      if (places.size() == before) {
        return List.of();
      }
    }
    return places;
  }

  /** Half of the nodes, or one less than half, chosen at random. */
  static List<Integer> half(int nodes, SplitMix random) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      left.add(i);
    }
    List<Integer> half = new ArrayList<>();
    while (half.size() < nodes / 2) {
      half.add(left.remove(random.below(left.size())));
    }
    return half;
  }
}
