package dev.assay.driver;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who wrote which versions, where the ids of transactions name the writers. All ids here are
 * counted from the first of the recording.
 */
final class Writers {
  /** A transaction of which some writes may have ids of their own, as subtransactions have. */
  private record Parent(int id, long end) {}

  private final List<Parent> parents = new ArrayList<>();

  /** By the time at which a transaction began, the smallest id of any that began then or later. */
  private final TreeMap<Long, Integer> ids = new TreeMap<>();

  private boolean ordered;

  /** Hashes of rows with the ids of the recorded transactions that wrote them. */
  private final Set<Long> rows = new HashSet<>();

  /** A recorded transaction wrote a row. */
  void add(Part.Entry entry, long id, Part.Line line) {
    rows.add(hash(entry, id));
    ids.merge(Long.parseLong(line.start()), (int) id, Math::min);
  }

  private static long hash(Part.Entry entry, long id) {
    return Recording.hash(entry.text() + " by " + (int) id);
  }

  /** Whether a recorded statement of a transaction wrote a row. */
  boolean wrote(Part.Entry entry, long id) {
    return rows.contains(hash(entry, id));
  }

  /** A transaction in which not all writes were seen. */
  void mayHaveOthers(long id, Part.Line line) {
    parents.add(new Parent((int) id, Long.parseLong(line.end())));
  }

  /**
   * Whether an id that no recorded write has may be of a part of a recorded transaction: a function
   * that catches errors writes in a subtransaction, whose id is greater than that of its
   * transaction, and smaller than those of all that begin later.
   */
  boolean isOfOthers(long id) {
    order();
    for (Parent parent : parents) {
      Map.Entry<Long, Integer> later = ids.higherEntry(parent.end);
      if (parent.id < (int) id && (later == null || later.getValue() > (int) id)) {
        return true;
      }
    }
    return false;
  }

  private void order() {
    if (!ordered) {
      int least = Integer.MAX_VALUE;
      for (Map.Entry<Long, Integer> entry : ids.descendingMap().entrySet()) {
        least = Math.min(least, entry.getValue());
        entry.setValue(least);
      }
      ordered = true;
    }
  }
}
