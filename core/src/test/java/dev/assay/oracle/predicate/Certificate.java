package dev.assay.oracle.predicate;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.history.VersionCertificate.VersionSet;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Version orders and version sets for a small history.
 *
 * @param orders for each key the transactions that wrote it, in the order of its versions
 * @param commits transactions in the order they committed
 * @param looks what each predicate operation looked at
 * @param snapshots what a transaction looked at wherever nothing else is said
 */
record Certificate(
    Map<String, List<Integer>> orders,
    List<Integer> commits,
    Map<Place, Look> looks,
    Map<Integer, Look> snapshots) {

  /** An operation, by its transaction and its place in it. */
  record Place(int txn, int op) {}

  /** What a predicate operation looked at. */
  sealed interface Look {
    /** Of each key the version of a transaction; the initial one of all others. */
    record Listed(Map<String, Integer> writers) implements Look {}

    /** Of each key the last version of the first commits, some left out and others put in. */
    record Snapshot(int commits, List<Integer> except, List<Integer> also) implements Look {}
  }

  /**
   * The place in its order, from 1, of the version of a key that was looked at; 0 for none. A
   * snapshot has nothing of the transaction that took it.
   */
  int version(int reader, Look look, String key) {
    List<Integer> order = orders.getOrDefault(key, List.of());
    if (look instanceof Look.Listed listed) {
      return order.indexOf(listed.writers.getOrDefault(key, -1)) + 1;
    }
    Look.Snapshot snapshot = (Look.Snapshot) look;
    for (int place = order.size(); place > 0; place--) {
      int writer = order.get(place - 1);
      boolean before = commits.indexOf(writer) < snapshot.commits;
      boolean visible =
          (before && !snapshot.except.contains(writer)) || snapshot.also.contains(writer);
      if (visible && writer != reader) {
        return place;
      }
    }
    return 0;
  }

  /** Who wrote the version of a key that a transaction's snapshot has; −1 for the initial one. */
  int snapshotWriter(int reader, String key) {
    int place = version(reader, snapshots.get(reader), key);
    return place == 0 ? -1 : orders.get(key).get(place - 1);
  }

  /** A certificate that knows nothing of how the history came about. */
  static Certificate random(PredicateHistory history, Random random) {
    List<Integer> commits = new ArrayList<>();
    for (int txn = 0; txn < history.size(); txn++) {
      commits.add(txn);
    }
    Collections.shuffle(commits, random);
    boolean byCommits = random.nextInt(3) > 0;
    Map<String, List<Integer>> orders = new TreeMap<>();
    for (int txn : commits) {
      for (String key : history.finalWrites(txn).keySet()) {
        orders.computeIfAbsent(key, k -> new ArrayList<>()).add(txn);
      }
    }
    if (!byCommits) {
      orders.values().forEach(order -> Collections.shuffle(order, random));
    }
    Map<Place, Look> looks = new HashMap<>();
    Map<Integer, Look> snapshots = new HashMap<>();
    for (int txn = 0; txn < history.size(); txn++) {
      if (random.nextBoolean()) {
        snapshots.put(txn, snapshot(commits, txn, random));
      }
      List<Op> ops = history.txns().get(txn).ops();
      for (int op = 0; op < ops.size(); op++) {
        if (ops.get(op).predicate() != null) {
          Look look =
              random.nextBoolean() ? listed(orders, random) : snapshot(commits, txn, random);
          boolean own = !snapshots.containsKey(txn) || random.nextInt(3) == 0;
          looks.put(new Place(txn, op), own ? look : snapshots.get(txn));
        }
      }
    }
    return new Certificate(orders, commits, looks, snapshots);
  }

  private static Look listed(Map<String, List<Integer>> orders, Random random) {
    Map<String, Integer> writers = new TreeMap<>();
    orders.forEach(
        (key, order) -> {
          int place = random.nextInt(order.size() + 1);
          if (place > 0) {
            writers.put(key, order.get(place - 1));
          }
        });
    return new Look.Listed(writers);
  }

  private static Look snapshot(List<Integer> commits, int txn, Random random) {
    int bound = random.nextInt(3) == 0 ? random.nextInt(commits.size()) : commits.indexOf(txn);
    List<Integer> except = new ArrayList<>();
    List<Integer> also = new ArrayList<>();
    for (int place = 0; place < commits.size(); place++) {
      if (random.nextInt(5) == 0) {
        (place < bound ? except : also).add(commits.get(place));
      }
    }
    return new Look.Snapshot(bound, except, also);
  }

  /** The certificate as the checkers take it. */
  VersionCertificate of(History history) {
    List<Chain> chains = new ArrayList<>();
    for (int key = 0; key < history.keys().count(); key++) {
      List<Integer> writes = new ArrayList<>();
      for (int txn : orders.getOrDefault(history.keys().get(key), List.of())) {
        writes.add(lastWrite(history, txn, key));
      }
      if (!writes.isEmpty()) {
        chains.add(new Chain(key, writes, true));
      }
    }
    Map<Integer, VersionSet> sets = new HashMap<>();
    looks.forEach(
        (place, look) -> {
          if (look != snapshots.get(place.txn)) {
            sets.put(operation(history, place), set(history, look));
          }
        });
    Map<Integer, VersionSet> ofTransaction = new HashMap<>();
    snapshots.forEach((txn, look) -> ofTransaction.put(txn, set(history, look)));
    int[] committed = commits.stream().mapToInt(Integer::intValue).toArray();
    return new VersionCertificate(chains, new int[0], committed, sets, ofTransaction);
  }

  private static VersionSet set(History history, Look look) {
    if (look instanceof Look.Snapshot snapshot) {
      return new VersionSet.Snapshot(snapshot.commits, snapshot.except, snapshot.also);
    }
    Map<Integer, Integer> writes = new HashMap<>();
    Map<String, Integer> writers = ((Look.Listed) look).writers;
    for (int key = 0; key < history.keys().count(); key++) {
      Integer writer = writers.get(history.keys().get(key));
      if (writer != null) {
        writes.put(key, lastWrite(history, writer, key));
      }
    }
    return new VersionSet.Listed(writes);
  }

  private static int operation(History history, Place place) {
    int op = history.firstOp(place.txn);
    for (int i = 0; i < place.op; i++) {
      op = history.nextOp(op);
    }
    return op;
  }

  private static int lastWrite(History history, int txn, int key) {
    int last = VersionCertificate.INITIAL;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.WRITE && history.key(op) == key) {
        last = op;
      }
    }
    return last;
  }

  @Override
  public String toString() {
    return "versions "
        + orders
        + ", commits "
        + commits
        + ", looks "
        + looks
        + ", snapshots "
        + snapshots
        + "\n";
  }
}
