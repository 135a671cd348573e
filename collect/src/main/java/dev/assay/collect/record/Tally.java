package dev.assay.collect.record;

import dev.assay.history.Outcome;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of what happened in a run, readable while it goes on. */
public final class Tally {
  private final LongAdder[] outcomes = {new LongAdder(), new LongAdder(), new LongAdder()};
  private final LongAdder nanos = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final LongAdder refusedConnections = new LongAdder();
  private final LongAdder clients = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  private volatile String lastError;

  void ended(Outcome outcome) {
    outcomes[outcome.ordinal()].increment();
  }

  /** A transaction took this long, whatever became of it. */
  void took(long time) {
    nanos.add(time);
  }

  /**
   * Counts an error.
   *
   * @param message its whole message
   */
  void error(String kind, String message) {
    errors.computeIfAbsent(kind, k -> new LongAdder()).increment();
    lastError = message;
  }

  void connected() {
    connections.increment();
  }

  void notConnected(String kind, String message) {
    refusedConnections.increment();
    error("cannot connect: " + kind, message);
  }

  /** A client has begun its first transaction. */
  void clientBegan() {
    clients.increment();
  }

  /** The database refused a transaction. */
  void refused() {
    refused.increment();
  }

  void retried() {
    retries.increment();
  }

  /** How many clients began at least one transaction. */
  public long clients() {
    return clients.sum();
  }

  /** How often no connection could be made. */
  public long refusedConnections() {
    return refusedConnections.sum();
  }

  /** How many transactions the database refused. */
  public long refusals() {
    return refused.sum();
  }

  /** How often a transaction that was refused was run again. */
  public long retries() {
    return retries.sum();
  }

  public long count(Outcome outcome) {
    return outcomes[outcome.ordinal()].sum();
  }

  /** The time that all transactions took together, in nanoseconds. */
  public long nanos() {
    return nanos.sum();
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

  /** The message of the last error; null if there was none. */
  public String lastError() {
    return lastError;
  }
}
