package dev.assay.check.strong;

import dev.assay.graph.IntList;
import dev.assay.graph.Sorted;
import dev.assay.history.History;
import java.util.BitSet;

/**
 * Members whose reads contradict real time: they saw a version that was overwritten before they
 * began, by a transaction that began after the writer of the version had ended; or one whose writer
 * began after they had ended.
 */
final class RealTimeViolations implements Instance.KeyVisitor {
  private final RealTime time;
  private final BitSet found = new BitSet();

  // The writers of the current key by their starts; none when they have not been sorted yet.
  private final IntList writers = new IntList();
  private int[] byStart;

  /** For each of them the first end among it and those after it. */
  private long[] firstEnd = new long[16];

  private RealTimeViolations(Instance instance) {
    this.time = new RealTime(instance);
  }

  static BitSet of(Instance instance) {
    RealTimeViolations search = new RealTimeViolations(instance);
    instance.visit(search);
    return search.found;
  }

  @Override
  public void startKey(int key) {
    writers.clear();
    byStart = null;
  }

  @Override
  public void write(int member) {
    if (time.start(member) != History.ABSENT && time.end(member) != History.ABSENT) {
      writers.add(member);
    }
  }

  @Override
  public void read(int member, int source, int op) {
    if (time.start(member) == History.ABSENT) {
      return;
    }
    boolean initial = source == Instance.NONE;
    if (!initial && time.before(member, source)) {
      found.set(member);
    } else if (initial || time.end(source) != History.ABSENT) {
      long ended = firstEndAfter(initial ? Long.MIN_VALUE : time.end(source));
      if (ended < time.start(member)) {
        found.set(member);
      }
    }
  }

  /** The first end of a writer that began after a moment. */
  private long firstEndAfter(long moment) {
    if (byStart == null) {
      sort();
    }
    int low = 0;
    int high = writers.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (time.start(byStart[middle]) > moment) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == writers.size() ? Long.MAX_VALUE : firstEnd[low];
  }

  private void sort() {
    byStart = Sorted.by(writers.toArray(), time::start);
    if (firstEnd.length < writers.size()) {
      firstEnd = new long[2 * writers.size()];
    }
    long first = Long.MAX_VALUE;
    for (int i = writers.size() - 1; i >= 0; i--) {
      first = Math.min(first, time.end(byStart[i]));
      firstEnd[i] = first;
    }
  }

  /** The source of an ambiguous read is open. */
  @Override
  public void choice(int member, int op) {}

  /** Version orders are independent of time. */
  @Override
  public void order(int first, int second) {}

  @Override
  public void endKey() {}
}
