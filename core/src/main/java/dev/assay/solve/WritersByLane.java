package dev.assay.solve;

import dev.assay.graph.IntList;

/** The versions of each key by the lanes of their writers, in the order of each lane. */
final class WritersByLane {
  private final Polygraph problem;
  private final Lanes lanes;

  /** Versions, key by key, lane by lane. */
  private final int[] sorted;

  /**
   * The groups of key k are {@code firstGroup[k]}…; they start at these places of {@link #sorted}.
   */
  private final int[] firstGroup;

  private final IntList groupStart = new IntList(64);

  WritersByLane(Polygraph problem, Lanes lanes) {
    this.problem = problem;
    this.lanes = lanes;
    this.sorted = new int[problem.writer.length];
    this.firstGroup = new int[problem.keys() + 1];
    int[] next = new int[problem.keys()];
    for (int key = 0; key < problem.keys(); key++) {
      next[key] = problem.keyFirst[key] - key;
    }
    for (int txn : lanes.transactions()) {
      for (int i = problem.writes.first(txn); i < problem.writes.end(txn); i++) {
        int version = problem.writes.item(i);
        sorted[next[problem.keyOf[version]]++] = version;
      }
    }
    int from = 0;
    for (int key = 0; key < problem.keys(); key++) {
      firstGroup[key] = groupStart.size();
      int last = Polygraph.NONE;
      for (int i = from; i < next[key]; i++) {
        int lane = lanes.lane(problem.writer[sorted[i]]);
        if (lane != last) {
          groupStart.add(i);
          last = lane;
        }
      }
      from = next[key];
    }
    firstGroup[problem.keys()] = groupStart.size();
    groupStart.add(from);
  }

  int firstGroup(int key) {
    return firstGroup[key];
  }

  int endGroup(int key) {
    return firstGroup[key + 1];
  }

  int lane(int group) {
    return lanes.lane(problem.writer[sorted[groupStart.get(group)]]);
  }

  /** How many versions a group has. */
  int size(int group) {
    return groupStart.get(group + 1) - groupStart.get(group);
  }

  /** A version of a group by its place there. */
  int version(int group, int index) {
    return sorted[groupStart.get(group) + index];
  }

  /** How many versions of a group have a writer that has begun (or committed) by a place. */
  int before(int group, int place, boolean committed) {
    int start = groupStart.get(group);
    int low = start;
    int high = groupStart.get(group + 1) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int txn = problem.writer[sorted[middle]];
      if ((committed ? lanes.commit(txn) : lanes.begin(txn)) <= place) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - start;
  }

  /**
   * The last version of a group whose writer has begun (or committed) by a place of its lane and is
   * not the given transaction, or −1.
   */
  int last(int group, int place, boolean committed, int except) {
    int index = before(group, place, committed) - 1;
    if (index >= 0 && problem.writer[version(group, index)] == except) {
      index--;
    }
    return index >= 0 ? version(group, index) : Polygraph.NONE;
  }
}
