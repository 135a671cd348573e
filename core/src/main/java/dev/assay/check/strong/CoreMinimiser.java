package dev.assay.check.strong;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Shrinks a set of transactions that have no order to a minimal one, by delta debugging: removes
 * pieces, large ones first, as long as the rest has no order (Zeller and Hildebrandt, IEEE TSE
 * 28(2), 2002).
 */
final class CoreMinimiser {
  /**
   * Maximum number of transactions in all tries together. Bounded by work rather than time, so that
   * reports are deterministic.
   */
  static final long MAX_WORK = 3_000_000;

  private final Predicate<BitSet> refuted;
  private final long maxWork;
  private final BooleanSupplier expired;
  private long work;

  private CoreMinimiser(Predicate<BitSet> refuted, long maxWork, BooleanSupplier expired) {
    this.refuted = refuted;
    this.maxWork = maxWork;
    this.expired = expired;
  }

  /** A smaller set that is still refuted; minimal if work and time sufficed. */
  static BitSet minimise(
      BitSet start, long maxWork, BooleanSupplier expired, Predicate<BitSet> refuted) {
    CoreMinimiser core = new CoreMinimiser(refuted, maxWork, expired);
    BitSet set = start;
    for (int pieces = 2; set.cardinality() > 1; ) {
      BitSet smaller = core.withoutAPiece(set, pieces);
      if (smaller != null) {
        set = smaller;
        pieces = Math.max(pieces - 1, 2);
      } else if (pieces >= set.cardinality() || core.isOver()) {
        return set;
      } else {
        pieces = Math.min(2 * pieces, set.cardinality());
      }
    }
    return set;
  }

  private boolean isOver() {
    return work >= maxWork || expired.getAsBoolean();
  }

  private BitSet withoutAPiece(BitSet set, int pieces) {
    List<Integer> items = new ArrayList<>(set.stream().boxed().toList());
    BitSet left = null;
    for (int piece = 0; piece < pieces && !isOver(); piece++) {
      int from = (int) ((long) items.size() * piece / pieces);
      int to = (int) ((long) items.size() * (piece + 1) / pieces);
      BitSet without = (BitSet) (left == null ? set : left).clone();
      items.subList(from, to).forEach(without::clear);
      work += without.cardinality();
      if (refuted.test(without)) {
        left = without;
      }
    }
    return left;
  }
}
