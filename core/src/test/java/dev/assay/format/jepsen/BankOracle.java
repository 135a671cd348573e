package dev.assay.format.jepsen;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tries all serial orders of the transactions of a small bank; the first read shows the start. */
final class BankOracle {
  private final History history;
  private final boolean inRealTime;
  private final List<Integer> committed = new ArrayList<>();

  private BankOracle(History history, boolean inRealTime) {
    this.history = history;
    this.inRealTime = inRealTime;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.COMMITTED) {
        committed.add(txn);
      }
    }
  }

  static boolean isSerializable(History history, boolean inRealTime) {
    BankOracle oracle = new BankOracle(history, inRealTime);
    return oracle.extend(new ArrayList<>());
  }

  /** How many different totals reads of all accounts have. */
  static int totals(History history) {
    Set<Long> totals = new HashSet<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      long total = 0;
      boolean reads = history.firstOp(txn) < history.endOp(txn);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        reads &= history.kind(op) == OpKind.COUNTER_READ;
        total += reads ? amount(history, op) : 0;
      }
      if (reads) {
        totals.add(total);
      }
    }
    return totals.size();
  }

  private static long amount(History history, int op) {
    return (Long) history.values().get(history.value(op));
  }

  private boolean extend(List<Integer> order) {
    if (!explains(order)) {
      return false;
    }
    if (order.size() == committed.size()) {
      return true;
    }
    for (int txn : committed) {
      if (!order.contains(txn) && mayBeNext(order, txn)) {
        order.add(txn);
        if (extend(order)) {
          return true;
        }
        order.remove(order.size() - 1);
      }
    }
    return false;
  }

  private boolean mayBeNext(List<Integer> order, int txn) {
    for (int other : committed) {
      boolean before = inRealTime && history.end(other) < history.start(txn);
      if (before && !order.contains(other)) {
        return false;
      }
    }
    return true;
  }

  private boolean explains(List<Integer> order) {
    Map<Integer, Long> moved = new HashMap<>();
    Map<Integer, Long> start = new HashMap<>();
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int key = history.key(op);
        long amount = amount(history, op);
        if (history.kind(op) == OpKind.INCREMENT) {
          moved.merge(key, amount, Long::sum);
        } else {
          long now = moved.getOrDefault(key, 0L);
          if (start.computeIfAbsent(key, k -> amount - now) + now != amount) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
