package dev.assay.check.strong;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** When members began and ended; a transaction of unknown outcome never ends. */
final class RealTime {
  private final Instance instance;

  RealTime(Instance instance) {
    this.instance = instance;
  }

  long start(int member) {
    return instance.history.start(instance.members[member]);
  }

  long end(int member) {
    return instance.history.knownEnd(instance.members[member]);
  }

  /** Whether one ended before the other began. */
  boolean before(int first, int second) {
    return end(first) != History.ABSENT
        && start(second) != History.ABSENT
        && end(first) < start(second);
  }

  /** Those that ended, in that order. */
  int[] byEnd() {
    return sorted(this::end);
  }

  /** Those whose start is known, in that order. */
  int[] byStart() {
    return sorted(this::start);
  }

  private int[] sorted(IntToLongFunction time) {
    IntStream known =
        IntStream.range(0, instance.size()).filter(m -> time.applyAsLong(m) != History.ABSENT);
    return Sorted.by(known.toArray(), time);
  }
}
