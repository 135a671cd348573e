package dev.assay.spark.cut;

import java.util.ArrayList;
import java.util.List;
import scala.Tuple2;

/** Positions between which no cut may be, as pairs of a first and a last one. */
public final class Intervals {
  private static final int LEAST = 16;

  private final LongPairs pairs = new LongPairs();

  /** At this size they are merged. */
  private int most = LEAST;

  public void add(long first, long last) {
    if (first >= last) {
      return;
    }
    if (pairs.size() == most) {
      merge();
      most = Math.max(LEAST, 2 * pairs.size());
    }
    pairs.add(first, last);
  }

  /** Joins those that overlap, and sorts them. */
  private void merge() {
    pairs.sort();
    int merged = 0;
    for (int i = 0; i < pairs.size(); i++) {
      // A cut at the position where one begins separates it from what ends there.
      if (merged > 0 && pairs.first(i) < pairs.second(merged - 1)) {
        long last = Math.max(pairs.second(merged - 1), pairs.second(i));
        pairs.set(merged - 1, pairs.first(merged - 1), last);
      } else {
        pairs.set(merged++, pairs.first(i), pairs.second(i));
      }
    }
    pairs.truncate(merged);
  }

  /** Hands on each of them, merged. */
  void forEach(LongPairs.Taking taking) {
    merge();
    for (int i = 0; i < pairs.size(); i++) {
      taking.accept(pairs.first(i), pairs.second(i));
    }
  }

  /** The intervals as far as they concern cuts in each bucket. */
  public List<Tuple2<Integer, long[]>> byBucket(long[] boundaries) {
    List<Tuple2<Integer, long[]>> pieces = new ArrayList<>();
    forEach(
        (first, last) -> {
          int to = Cuts.countUpTo(boundaries, last);
          for (int bucket = Math.max(1, Cuts.countUpTo(boundaries, first));
              bucket <= to;
              bucket++) {
            pieces.add(new Tuple2<>(bucket, new long[] {first, last}));
          }
        });
    return pieces;
  }

  /** The first position in [from, end) where a cut may be; null if there is none. */
  public Long firstCut(long from, long end) {
    merge();
    long cut = from;
    for (int i = 0; i < pairs.size(); i++) {
      if (pairs.first(i) < cut && cut <= pairs.second(i)) {
        if (pairs.second(i) == Long.MAX_VALUE) {
          return null;
        }
        cut = pairs.second(i) + 1;
      }
    }
    return cut < end ? cut : null;
  }
}
