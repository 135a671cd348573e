package dev.assay.infer.counters;

import dev.assay.graph.Components;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Rewriting;
import dev.assay.history.Values;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * All orders in which the increments of counters may have applied, each as a history of registers
 * whose versions are the sums of the increments up to each, and a certificate of their order. A
 * level holds for the counters iff it holds for one of these histories. Increments of unknown
 * outcome may or may not have applied. Orders in which a read has no matching sum are left out,
 * unless all are such.
 *
 * <p>Operations keep their numbers.
 */
public final class CounterChoices {
  private static final int MAX_LOST = 6;

  /** Maximum number of sums and reads examined to find the orders of one counter. */
  private static final long MAX_WORK = 1_000_000;

  private static final int CHECK_EVERY = 64;

  private final History history;
  private final ReadsFrom reads;
  private final int most;
  private final BooleanSupplier isOver;

  /** Transactions whose increments may or may not have applied. */
  private final List<Integer> lost = new ArrayList<>();

  private int applied;

  /** For each counter the orders of the transactions that increment it. */
  private final Map<Integer, List<int[]>> orders = new TreeMap<>();

  private int[] at = {};
  private boolean possible;

  private CounterChoices(History history, ReadsFrom reads, int most, BooleanSupplier isOver) {
    this.history = history;
    this.reads = reads;
    this.most = most;
    this.isOver = isOver;
    this.possible = isExamined();
    possible &= possible && chooseOrders();
  }

  /**
   * All orders, or null if one counter has more than the limit, finding them takes too long, or
   * sums may not distinguish versions.
   */
  public static CounterChoices of(
      History history, ReadsFrom reads, int most, BooleanSupplier isOver) {
    CounterChoices choices = new CounterChoices(history, reads, most, isOver);
    return choices.possible ? choices : null;
  }

  private boolean isExamined() {
    boolean plain =
        reads.ambiguousReads() == 0
            && !history.declaresInitial()
            && !history.countersBeginAnywhere();
    if (!CounterOrder.isExamined(history) || !plain) {
      return false;
    }
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      boolean increments = false;
      boolean others = false;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean increment = history.kind(op) == OpKind.INCREMENT;
        if (increment && CounterUse.amount(history, op) <= 0) {
          return false;
        }
        increments |= increment;
        others |= history.kind(op).writesNamed();
      }
      boolean open = history.outcome(txn) == Outcome.INDETERMINATE && !reads.counts(txn);
      if (open && increments) {
        if (others) {
          return false;
        }
        lost.add(txn);
      }
    }
    return lost.size() <= MAX_LOST;
  }

  private boolean applies(int txn) {
    int place = lost.indexOf(txn);
    return reads.counts(txn) || (place >= 0 && (applied & 1 << place) != 0);
  }

  /**
   * Finds the orders of the increments assumed to have applied; returns whether they are few
   * enough.
   */
  private boolean chooseOrders() {
    orders.clear();
    Map<Integer, Set<Integer>> by = new TreeMap<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      for (int op = history.firstOp(txn); applies(txn) && op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.INCREMENT) {
          by.computeIfAbsent(history.key(op), key -> new TreeSet<>()).add(txn);
        }
      }
    }
    Map<Integer, Set<Long>> sums = sumsRead();
    for (Map.Entry<Integer, Set<Integer>> counter : by.entrySet()) {
      int key = counter.getKey();
      int[] txns = counter.getValue().stream().mapToInt(Integer::intValue).toArray();
      Arranging arranging = new Arranging(key, txns, sums.getOrDefault(key, Set.of()));
      if (!arranging.arrange(0, 0, new HashSet<>())) {
        return false;
      }
      orders.put(key, arranging.found.isEmpty() ? List.of(txns) : arranging.found);
    }
    at = new int[orders.size()];
    return true;
  }

  /** For each counter the sums that were read, which increments must reach. */
  private Map<Integer, Set<Long>> sumsRead() {
    Map<Integer, Set<Long>> sums = new HashMap<>();
    for (int op = 0; op < history.operationCount(); op++) {
      boolean known =
          history.kind(op) == OpKind.COUNTER_READ && history.value(op) != Values.UNKNOWN;
      if (known && reads.counts(history.transactionOf(op))) {
        long sum = CounterUse.amount(history, op);
        if (sum != 0) {
          sums.computeIfAbsent(history.key(op), key -> new HashSet<>()).add(sum);
        }
      }
    }
    return sums;
  }

  /** Puts the transactions that increment one counter into every order that reads allow. */
  private final class Arranging {
    private final int key;
    private final int[] order;
    private final List<int[]> found = new ArrayList<>();
    private final Set<Long> wanted;
    private long work;
    private int steps;

    Arranging(int key, int[] txns, Set<Long> wanted) {
      this.key = key;
      this.order = txns.clone();
      this.wanted = wanted;
    }

    /**
     * Returns false if there are too many orders or too much work. Amounts are positive, so sums
     * only grow.
     */
    boolean arrange(int placed, long sum, Set<Long> met) {
      work += 1 + wanted.size() + met.size();
      if (work > MAX_WORK || (steps++ % CHECK_EVERY == 0 && isOver.getAsBoolean())) {
        return false;
      }
      if (wanted.stream().anyMatch(value -> value <= sum && !met.contains(value))) {
        return true;
      }
      if (placed == order.length) {
        if (met.containsAll(wanted)) {
          found.add(order.clone());
        }
        return found.size() <= most;
      }
      for (int i = placed; i < order.length; i++) {
        swap(placed, i);
        Set<Long> after = new HashSet<>(met);
        long total = sum;
        int txn = order[placed];
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          if (history.kind(op) == OpKind.INCREMENT && history.key(op) == key) {
            total += CounterUse.amount(history, op);
            after.add(total);
          }
        }
        boolean few = arrange(placed + 1, total, after);
        swap(placed, i);
        if (!few) {
          return false;
        }
      }
      return true;
    }

    private void swap(int i, int j) {
      int txn = order[i];
      order[i] = order[j];
      order[j] = txn;
    }
  }

  /**
   * The number of choices for the increments assumed to have applied, or some number above the
   * limit.
   */
  public long count(long limit) {
    long count = 1L << lost.size();
    for (List<int[]> ofOne : orders.values()) {
      count *= ofOne.size();
      if (count > limit) {
        break;
      }
    }
    return count;
  }

  /** Advances to the next choice; returns whether there was one, or null if there are too many. */
  public Boolean advance() {
    int i = 0;
    for (List<int[]> ofOne : orders.values()) {
      if (++at[i] < ofOne.size()) {
        return true;
      }
      at[i++] = 0;
    }
    applied++;
    if (applied == 1 << lost.size()) {
      return false;
    }
    return chooseOrders() ? true : null;
  }

  /** The current choice, as a guess. */
  public CounterOrder.Guess guess() {
    Map<Integer, Map<Long, Integer>> versions = new HashMap<>();
    Map<Integer, List<Integer>> chains = new TreeMap<>();
    int i = 0;
    for (Map.Entry<Integer, List<int[]>> counter : orders.entrySet()) {
      int key = counter.getKey();
      long sum = 0;
      for (int txn : counter.getValue().get(at[i++])) {
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          if (history.kind(op) == OpKind.INCREMENT && history.key(op) == key) {
            sum += CounterUse.amount(history, op);
            versions.computeIfAbsent(key, k -> new HashMap<>()).put(sum, op);
          }
        }
        chains.computeIfAbsent(key, k -> new ArrayList<>()).add(history.lastWrite(txn, key));
      }
    }
    return CounterOrder.guess(rewriting(versions), chains, true);
  }

  private Rewriting rewriting(Map<Integer, Map<Long, Integer>> versions) {
    Rewriting.Builder builder = new Rewriting.Builder(history);
    builder.history().zeroIsInitial(history.zeroIsInitial());
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int added = builder.begin(txn);
      boolean revived = applies(txn) && !reads.counts(txn);
      if (revived) {
        builder.history().outcome(added, Outcome.COMMITTED);
        builder.history().end(added, History.ABSENT);
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean known = applies(txn) && history.value(op) != Values.UNKNOWN;
        if (history.kind(op).type() != OpKind.Type.COUNTER && !revived) {
          builder.copy(op);
        } else if (known && history.kind(op) == OpKind.INCREMENT) {
          CounterOrder.add(builder, op, op);
        } else if (known && !revived) {
          CounterOrder.add(builder, op, seen(op, versions));
        } else {
          CounterOrder.addUnknown(builder, op);
        }
      }
    }
    return builder.build();
  }

  /** Whether the orders of all counters are those of one order of the transactions. */
  public boolean isOneOrder() {
    EdgeList follows = new EdgeList();
    int i = 0;
    for (List<int[]> ofOne : orders.values()) {
      int[] order = ofOne.get(at[i++]);
      for (int place = 1; place < order.length; place++) {
        follows.add(order[place - 1], order[place], 0, 0);
      }
    }
    Components components = Components.of(history.transactionCount(), follows);
    return components.count() == history.transactionCount();
  }

  /**
   * A transaction read an increment and then made one that applied before it.
   *
   * @param read the read
   * @param seen the increment of another transaction that it saw
   * @param own the last own increment
   */
  public record Backwards(int read, int seen, int own) {}

  /** One of these under the current choice, or null. */
  public Backwards backwards() {
    int i = 0;
    for (Map.Entry<Integer, List<int[]>> counter : orders.entrySet()) {
      Backwards found = backwards(counter.getKey(), counter.getValue().get(at[i++]));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Backwards backwards(int key, int[] order) {
    long sum = 0;
    Map<Long, Integer> later = new HashMap<>();
    Backwards found = null;
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.INCREMENT && history.key(op) == key) {
          sum += CounterUse.amount(history, op);
          later.put(sum, op);
        }
      }
    }
    sum = 0;
    for (int txn : order) {
      boolean external = reads.counts(txn);
      long before = sum;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.key(op) != key) {
          continue;
        }
        if (history.kind(op) == OpKind.INCREMENT) {
          sum += CounterUse.amount(history, op);
          external = false;
        } else if (external && history.value(op) != Values.UNKNOWN) {
          long value = CounterUse.amount(history, op);
          Integer seen = value > before ? later.get(value) : null;
          if (seen != null && history.transactionOf(seen) != txn) {
            found = new Backwards(op, seen, history.lastWrite(txn, key));
          }
        }
      }
    }
    return found;
  }

  private int seen(int read, Map<Integer, Map<Long, Integer>> versions) {
    long value = CounterUse.amount(history, read);
    int unread = value == 0 ? ReadsFrom.INITIAL : ReadsFrom.THIN_AIR;
    return versions.getOrDefault(history.key(read), Map.of()).getOrDefault(value, unread);
  }
}
