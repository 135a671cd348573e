package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.SmallHistory.Before;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The levels of histories of counters, and registers beside them: those it has by some order of its
 * transactions, in which the versions of a counter are the sums of the increments up to each, and a
 * read sees the version that has its value. What is settled here:
 *
 * <ul>
 *   <li>Transactions of unknown outcome take effect or not, each by itself; what they read is not
 *       judged.
 *   <li>A read after an own increment may see the own version, or that of another transaction.
 *   <li>An increment is made on a version, as an append is: two reads of one transaction must
 *       differ by what it added in between, or they are non-repeatable.
 * </ul>
 *
 * Increments must be positive, so that all sums are different.
 */
final class CounterOracle {
  private static final int THIN_AIR = 1_000;

  private CounterOracle() {}

  /** The levels a history of counters has. */
  static Set<Level> holding(SmallHistory history) {
    Set<Level> result = EnumSet.noneOf(Level.class);
    List<Integer> lost = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      if (history.txns().get(t).outcome() == Outcome.INDETERMINATE) {
        lost.add(t);
      }
    }
    for (int applied = 0; applied < 1 << lost.size(); applied++) {
      List<Txn> txns = new ArrayList<>();
      List<Integer> counting = new ArrayList<>();
      for (int t = 0; t < history.txns().size(); t++) {
        Txn txn = history.txns().get(t);
        boolean applies = lost.contains(t) && (applied & 1 << lost.indexOf(t)) != 0;
        if (applies || txn.outcome() == Outcome.COMMITTED) {
          counting.add(t);
        }
        txns.add(applies ? withoutReads(txn) : txn);
      }
      for (int[] place : Orders.of(counting.size())) {
        addHolding(new SmallHistory(txns), counting, place, result);
      }
    }
    if (isUnrepeatable(history)) {
      result.removeIf(
          level ->
              level != Level.CAUSAL_NON_TRANSACTIONAL
                  && LevelOracle.forbiddenReads(level).contains(AnomalyType.NON_REPEATABLE_READ));
    }
    return result;
  }

  private static Txn withoutReads(Txn txn) {
    List<Op> writes = txn.ops().stream().filter(Op::isWrite).toList();
    return new Txn(txn.session(), Outcome.COMMITTED, writes, txn.start(), Long.MAX_VALUE);
  }

  private static boolean isUnrepeatable(SmallHistory history) {
    for (Txn txn : history.txns()) {
      Map<Integer, Integer> expected = new HashMap<>();
      for (Op op : txn.ops()) {
        if (op instanceof Op.Increment increment) {
          expected.computeIfPresent(op.key(), (key, sum) -> sum + increment.amount());
        } else if (op instanceof Op.Read read
            && isCounter(history, op.key())
            && txn.outcome() == Outcome.COMMITTED) {
          Integer before = expected.put(op.key(), read.value());
          if (before != null && before != read.value()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isCounter(SmallHistory history, int key) {
    return history.txns().stream()
        .flatMap(txn -> txn.ops().stream())
        .anyMatch(op -> op instanceof Op.Increment && op.key() == key);
  }

  private static void addHolding(
      SmallHistory history, List<Integer> counting, int[] place, Set<Level> result) {
    int[] order = new int[place.length];
    for (int i = 0; i < place.length; i++) {
      order[place[i]] = counting.get(i);
    }
    // The version with each sum of a counter; the values of registers here are these.
    Map<Op, Integer> version = new HashMap<>();
    Map<Integer, Integer> sums = new HashMap<>();
    List<List<Op>> ops = new ArrayList<>();
    history.txns().forEach(txn -> ops.add(new ArrayList<>(txn.ops())));
    for (int t : order) {
      for (int i = 0; i < ops.get(t).size(); i++) {
        if (ops.get(t).get(i) instanceof Op.Increment increment) {
          int sum = sums.merge(increment.key(), increment.amount(), Integer::sum);
          ops.get(t).set(i, new Op.Write(increment.key(), sum));
          version.put(new Op.Read(increment.key(), sum), sum);
        }
      }
    }
    List<Txn> txns = new ArrayList<>();
    for (int t = 0; t < ops.size(); t++) {
      boolean counts = counting.contains(t);
      ops.get(t)
          .replaceAll(
              op ->
                  op instanceof Op.Read read
                          && read.value() != 0
                          && isCounter(history, op.key())
                          && !version.containsKey(op)
                      ? new Op.Read(op.key(), THIN_AIR)
                      : op);
      Txn txn = history.txns().get(t);
      txns.add(counts ? txn.with(ops.get(t)) : txn.with(List.of()));
    }
    List<Before> given = new ArrayList<>();
    for (int i = 1; i < order.length; i++) {
      given.add(new Before(order[i - 1], order[i]));
    }
    result.addAll(LevelOracle.holding(new SmallHistory(txns), given));
  }
}
