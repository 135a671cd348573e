package dev.assay.window;

import dev.assay.graph.Components;
import dev.assay.graph.Digraph;
import dev.assay.graph.EdgeList;
import dev.assay.graph.RealTimeChain;
import dev.assay.graph.TopologicalOrder;
import dev.assay.history.History;
import java.util.stream.IntStream;

/**
 * An order of the transactions of a window in which they may have taken effect: the candidate
 * order, changed where dependencies require it. It only decides which versions are tried as the
 * last ones before a cut; no verdict rests on it.
 *
 * <p>Where a database violates some levels, dependencies have cycles. The levels that may still
 * hold forbid those of few kinds, so kinds are left out of cycles one after the other, those that
 * the fewest levels need first.
 */
final class EffectOrder {
  /** Why one transaction took effect before another; the last ones matter to the fewest levels. */
  enum Because {
    WRITTEN,
    READ,
    SESSION,
    REAL_TIME,
    NOT_READ
  }

  private final EdgeList edges = new EdgeList();
  private final int size;
  private final boolean onlyWrites;

  /** The number of transactions, and of instants between them. */
  private int nodes;

  /**
   * Begins with the order of sessions and real time.
   *
   * @param onlyWrites whether what was read does not matter to the levels that are open
   */
  EffectOrder(History history, boolean onlyWrites) {
    this.onlyWrites = onlyWrites;
    this.size = history.transactionCount();
    this.nodes = size;
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int place = 1; place < history.sessionSize(session); place++) {
        before(
            history.sessionTransaction(session, place - 1),
            history.sessionTransaction(session, place),
            Because.SESSION);
      }
    }
    if (history.hasTimes()) {
      addRealTime(history);
    }
  }

  private void addRealTime(History history) {
    int[] begun = IntStream.range(0, size).filter(t -> isKnown(history.start(t))).toArray();
    int[] ended = IntStream.range(0, size).filter(t -> isKnown(history.knownEnd(t))).toArray();
    RealTimeChain.build(
        begun,
        history::start,
        ended,
        history::knownEnd,
        new RealTimeChain.Sink() {
          @Override
          public int instant(int before) {
            int instant = nodes++;
            if (before >= 0) {
              before(before, instant, Because.REAL_TIME);
            }
            return instant;
          }

          @Override
          public void ended(int txn, int instant) {
            before(txn, instant, Because.REAL_TIME);
          }

          @Override
          public void began(int instant, int txn) {
            before(instant, txn, Because.REAL_TIME);
          }

          private void before(int one, int other, Because why) {
            EffectOrder.this.before(one, other, why);
          }
        });
  }

  private static boolean isKnown(long time) {
    return time != History.ABSENT;
  }

  /** One transaction took effect before another. */
  void before(int one, int other, Because why) {
    Because kind = onlyWrites && why == Because.READ ? Because.NOT_READ : why;
    if (one != other) {
      edges.add(one, other, kind.ordinal(), 0);
    }
  }

  /** For each transaction its place; places have gaps. */
  int[] places() {
    int[] natural = TopologicalOrder.natural(nodes);
    EdgeList left = edges;
    int[] order = TopologicalOrder.of(Digraph.predecessors(nodes, left), natural);
    for (int kind = Because.values().length - 1; order == null; kind--) {
      left = withoutCyclic(left, kind);
      order = TopologicalOrder.of(Digraph.predecessors(nodes, left), natural);
    }
    return TopologicalOrder.positions(order);
  }

  /** Leaves edges of a kind out of cycles; of the first kind those that lead back. */
  private EdgeList withoutCyclic(EdgeList all, int kind) {
    Components components = Components.of(nodes, all);
    EdgeList left = new EdgeList(all.size());
    for (int e = 0; e < all.size(); e++) {
      boolean cyclic = components.same(all.from(e), all.to(e));
      boolean goes = all.label(e) == kind && (kind > 0 || all.from(e) > all.to(e));
      if (!(cyclic && goes)) {
        left.add(all.from(e), all.to(e), all.label(e), 0);
      }
    }
    return left;
  }
}
