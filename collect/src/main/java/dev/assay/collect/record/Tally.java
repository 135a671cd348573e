package dev.assay.collect.record;

import dev.assay.history.Outcome;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often what happened in a run, countable while it goes on. */
public final class Tally {
  private final LongAdder[] outcomes = {new LongAdder(), new LongAdder(), new LongAdder()};
  private final LongAdder connections = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

  void ended(Outcome outcome) {
    outcomes[outcome.ordinal()].increment();
  }

  void error(String kind) {
    errors.computeIfAbsent(kind, k -> new LongAdder()).increment();
  }

  void connected() {
    connections.increment();
  }

  public long count(Outcome outcome) {
    return outcomes[outcome.ordinal()].sum();
  }

  public long connections() {
    return connections.sum();
  }

  /** How often each kind of error came up. */
  public Map<String, Long> errors() {
    Map<String, Long> counts = new TreeMap<>();
    errors.forEach((kind, count) -> counts.put(kind, count.sum()));
    return counts;
  }
}
