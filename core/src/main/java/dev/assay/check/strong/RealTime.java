package dev.assay.check.strong;

import dev.assay.history.History;
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
    int txn = instance.members[member];
    return instance.history.isCommitted(txn) ? instance.history.end(txn) : History.ABSENT;
  }

  /** Whether one ended before the other began. */
  boolean before(int first, int second) {
    return end(first) != History.ABSENT
        && start(second) != History.ABSENT
        && end(first) < start(second);
  }

  /** Those that ended, in that order. */
  int[] byEnd() {
    return IntStream.range(0, instance.size())
        .filter(m -> end(m) != History.ABSENT)
        .boxed()
        .sorted((a, b) -> Long.compare(end(a), end(b)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Those whose start is known, in that order. */
  int[] byStart() {
    return IntStream.range(0, instance.size())
        .filter(m -> start(m) != History.ABSENT)
        .boxed()
        .sorted((a, b) -> Long.compare(start(a), start(b)))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
