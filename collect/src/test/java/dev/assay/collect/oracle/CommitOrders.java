package dev.assay.collect.oracle;

import dev.assay.collect.oracle.SmallHistory.Read;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decides levels by trying every commit order: the table of axioms in the specification, written
 * down again. Good for a handful of transactions.
 */
public final class CommitOrders {
  private final SmallHistory small;
  private final List<Integer> transactions;
  private final int size;

  /** Orders that hold by session order, by a read, or by a known version order. */
  private final boolean[][] given;

  private final boolean[][] sessionOrReads;
  private final boolean[][] causal;

  public CommitOrders(SmallHistory small) {
    this.small = small;
    this.transactions = new ArrayList<>(small.counted());
    this.size = transactions.size();
    sessionOrReads = new boolean[size][size];
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        sessionOrReads[a][b] = small.sessionOrder(transactions.get(a), transactions.get(b));
      }
    }
    for (Read read : small.reads()) {
      if (read.writer() != SmallHistory.INITIAL) {
        sessionOrReads[index(read.writer())][index(read.reader())] = true;
      }
    }
    causal = closure(sessionOrReads);
    given = new boolean[size][];
    for (int a = 0; a < size; a++) {
      given[a] = sessionOrReads[a].clone();
    }
    for (int key = 0; key < small.history().keys().count(); key++) {
      List<Integer> order = small.versionOrder(key);
      for (int i = 1; i < order.size(); i++) {
        int before = index(order.get(i - 1));
        int after = index(order.get(i));
        if (before >= 0 && after >= 0 && before != after) {
          given[before][after] = true;
        }
      }
    }
  }

  /** Whether some commit order satisfies the level. */
  public boolean satisfies(Axiom axiom) {
    return axiom.permits(small.readAnomalies()) && search(axiom, new ArrayList<>());
  }

  /**
   * The same for the levels whose condition does not mention the commit order: then there is one
   * exactly when the orders it forces have no cycle. Good for hundreds of transactions.
   */
  public boolean satisfiesByForcedEdges(Axiom axiom) {
    boolean[][] edges = new boolean[size][];
    for (int a = 0; a < size; a++) {
      edges[a] = given[a].clone();
    }
    for (Read read : small.reads()) {
      int t3 = index(read.reader());
      int t1 = read.writer() == SmallHistory.INITIAL ? -1 : index(read.writer());
      for (int t2 = 0; t2 < size; t2++) {
        boolean writes = small.writes(transactions.get(t2), read.key());
        if (t2 != t1 && t2 != t3 && writes && mustPrecede(axiom, t2, t3, read, null)) {
          if (t1 < 0) {
            return false;
          }
          edges[t2][t1] = true;
        }
      }
    }
    boolean[][] reachable = closure(edges);
    for (int a = 0; a < size; a++) {
      if (reachable[a][a]) {
        return false;
      }
    }
    return axiom.permits(small.readAnomalies());
  }

  /** The place of a transaction among those that count, or −1. */
  private int index(int txn) {
    return Math.max(-1, Collections.binarySearch(transactions, txn));
  }

  private boolean search(Axiom axiom, List<Integer> order) {
    if (order.size() == size) {
      int[] place = new int[size];
      for (int i = 0; i < size; i++) {
        place[order.get(i)] = i;
      }
      return holds(axiom, place);
    }
    for (int next = 0; next < size; next++) {
      if (!order.contains(next) && mayComeNext(axiom, next, order)) {
        order.add(next);
        if (search(axiom, order)) {
          return true;
        }
        order.remove(order.size() - 1);
      }
    }
    return false;
  }

  private boolean mayComeNext(Axiom axiom, int next, List<Integer> order) {
    for (int other = 0; other < size; other++) {
      boolean before =
          given[other][next]
              || axiom == Axiom.STRICT_SERIALIZABLE
                  && small.realTime(transactions.get(other), transactions.get(next));
      if (before && !order.contains(other)) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Axiom axiom, int[] place) {
    for (Read read : small.reads()) {
      int t3 = index(read.reader());
      int t1 = read.writer() == SmallHistory.INITIAL ? -1 : index(read.writer());
      for (int t2 = 0; t2 < size; t2++) {
        boolean writes = small.writes(transactions.get(t2), read.key());
        if (t2 != t1 && t2 != t3 && writes && mustPrecede(axiom, t2, t3, read, place)) {
          if (t1 < 0 || place[t2] > place[t1]) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** The column "CM must have t2 before t1 when …". */
  private boolean mustPrecede(Axiom axiom, int t2, int t3, Read read, int[] place) {
    return switch (axiom) {
      case READ_COMMITTED -> readsEarlier(t2, t3, read);
      case READ_ATOMIC -> sessionOrReads[t2][t3];
      case CAUSAL -> causal[t2][t3];
      case PREFIX -> prefix(t2, t3, place);
      case STRONG_SESSION_SNAPSHOT_ISOLATION -> prefix(t2, t3, place) || conflict(t2, t3, place);
      case STRONG_SESSION_SERIALIZABLE, STRICT_SERIALIZABLE -> place[t2] < place[t3];
    };
  }

  private boolean readsEarlier(int t2, int t3, Read read) {
    for (Read other : small.reads()) {
      if (index(other.reader()) == t3
          && other.place() < read.place()
          && other.writer() == transactions.get(t2)) {
        return true;
      }
    }
    return false;
  }

  private boolean prefix(int t2, int t3, int[] place) {
    for (int t = 0; t < size; t++) {
      if (place[t2] <= place[t] && sessionOrReads[t][t3]) {
        return true;
      }
    }
    return false;
  }

  private boolean conflict(int t2, int t3, int[] place) {
    for (int t4 = 0; t4 < size; t4++) {
      if (place[t2] <= place[t4] && place[t4] < place[t3] && writeCommonKey(t3, t4)) {
        return true;
      }
    }
    return false;
  }

  private boolean writeCommonKey(int a, int b) {
    for (int key = 0; key < small.history().keys().count(); key++) {
      if (small.writes(transactions.get(a), key) && small.writes(transactions.get(b), key)) {
        return true;
      }
    }
    return false;
  }

  private static boolean[][] closure(boolean[][] edges) {
    int n = edges.length;
    boolean[][] closed = new boolean[n][];
    for (int i = 0; i < n; i++) {
      closed[i] = edges[i].clone();
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          closed[i][j] |= closed[i][k] && closed[k][j];
        }
      }
    }
    return closed;
  }
}
