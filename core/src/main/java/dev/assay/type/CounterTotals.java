package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Totals of counters that no transaction changes, as the accounts of a bank: every transaction that
 * may have applied adds as much to some of them as it takes from others. A reader of all of them
 * whose total is another has seen one increment of a transaction and missed another of the same.
 * Whatever the order of versions is, the versions it missed lead back to it by one anti-dependency
 * and then only write and read dependencies: the total is wrong by a cycle G-single, or it read
 * what was not committed.
 */
final class CounterTotals {
  private static final int[] NONE = {};

  /** Maximum number of sets of counters to examine; clients of a bank read one. */
  private static final int MAX_SETS = 64;

  private final History history;
  private final ReadsFrom reads;

  /** For each transaction that increments, its increments. */
  private final List<Map<Integer, BigInteger>> changes = new ArrayList<>();

  /** The operations that show a wrong total, by transaction. */
  private final Map<Integer, int[]> wrong = new HashMap<>();

  /** One transaction that read all of some counters. */
  private record Reader(int txn, int[] operations, BigInteger total) {}

  CounterTotals(History history, ReadsFrom reads) {
    this.history = history;
    this.reads = reads;
    Map<BitSet, List<Reader>> readers = readers();
    if (!readers.isEmpty()) {
      collectChanges();
    }
    readers.entrySet().stream()
        .limit(MAX_SETS)
        .filter(set -> changes.stream().allMatch(change -> leaves(set.getKey(), change)))
        .forEach(set -> compare(set.getValue()));
  }

  /** The operations that show a wrong total of a transaction; empty if it has none. */
  int[] wrong(int txn) {
    return wrong.getOrDefault(txn, NONE);
  }

  /** Transactions that only read, by the counters they read, where these are several. */
  private Map<BitSet, List<Reader>> readers() {
    Map<BitSet, List<Reader>> readers = new LinkedHashMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      BitSet counters = new BitSet();
      Reader reader = reads.counts(txn) ? reader(txn, counters) : null;
      if (reader != null && counters.cardinality() > 1) {
        readers.computeIfAbsent(counters, all -> new ArrayList<>()).add(reader);
      }
    }
    return readers;
  }

  /** The reads of a transaction that increments nothing, the first of each counter; or null. */
  private Reader reader(int txn, BitSet counters) {
    BigInteger total = BigInteger.ZERO;
    int[] operations = new int[history.endOp(txn) - history.firstOp(txn)];
    int count = 0;
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op) == OpKind.INCREMENT) {
        return null;
      }
      if (history.kind(op) == OpKind.COUNTER_READ && !counters.get(history.key(op))) {
        if (history.value(op) == Values.UNKNOWN) {
          return null;
        }
        counters.set(history.key(op));
        operations[count++] = op;
        total = total.add(Counters.amount(history, op));
      }
    }
    return new Reader(txn, Arrays.copyOf(operations, count), total);
  }

  private void collectChanges() {
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      Map<Integer, BigInteger> change = new HashMap<>();
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.INCREMENT && history.outcome(txn) != Outcome.ABORTED) {
          change.merge(history.key(op), Counters.amount(history, op), BigInteger::add);
        }
      }
      if (!change.isEmpty()) {
        changes.add(change);
      }
    }
  }

  private static boolean leaves(BitSet counters, Map<Integer, BigInteger> change) {
    BigInteger sum = BigInteger.ZERO;
    for (Map.Entry<Integer, BigInteger> one : change.entrySet()) {
      sum = counters.get(one.getKey()) ? sum.add(one.getValue()) : sum;
    }
    return sum.signum() == 0;
  }

  /** Compares the totals with 0, where counters begin there, or else with the most frequent. */
  private void compare(List<Reader> all) {
    BigInteger right = history.countersBeginAnywhere() ? mostFrequent(all) : BigInteger.ZERO;
    Reader other =
        all.stream().filter(reader -> reader.total.equals(right)).findFirst().orElse(null);
    for (Reader reader : all) {
      if (!reader.total.equals(right)) {
        IntStream own = Arrays.stream(reader.operations);
        IntStream others = other == null ? IntStream.empty() : Arrays.stream(other.operations);
        wrong.put(reader.txn, IntStream.concat(own, others).toArray());
      }
    }
  }

  private static BigInteger mostFrequent(List<Reader> all) {
    Map<BigInteger, Integer> counts = new LinkedHashMap<>();
    all.forEach(reader -> counts.merge(reader.total, 1, Integer::sum));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseThrow();
  }
}
