package dev.assay.check.strong;

import dev.assay.history.History;
import java.util.BitSet;
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

  /** Members whose start is known, some left out. */
  int[] begun(BitSet without) {
    return known(this::start, without);
  }

  /** Members whose end is known, some left out. */
  int[] ended(BitSet without) {
    return known(this::end, without);
  }

  private int[] known(IntToLongFunction time, BitSet without) {
    return IntStream.range(0, instance.size())
        .filter(member -> time.applyAsLong(member) != History.ABSENT && !without.get(member))
        .toArray();
  }
}
