package dev.assay.spark.cut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import scala.Tuple2;

/** Positions between which no cut may be, as pairs of a first and a last one. */
public final class Intervals {
  private long[] firsts = new long[16];
  private long[] lasts = new long[16];
  private int size;

  public void add(long first, long last) {
    if (first >= last) {
      return;
    }
    if (size == firsts.length) {
      merge();
      if (size > firsts.length / 2) {
        firsts = Arrays.copyOf(firsts, size * 2);
        lasts = Arrays.copyOf(lasts, size * 2);
      }
    }
    firsts[size] = first;
    lasts[size] = last;
    size++;
  }

  /** Joins those that overlap, and sorts them. */
  private void merge() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    long[] from = firsts.clone();
    long[] to = lasts.clone();
    Arrays.sort(order, (a, b) -> Long.compare(from[a], from[b]));
    int merged = 0;
    for (int i : order) {
      // A cut at the position where one begins separates it from what ends there.
      if (merged > 0 && from[i] < lasts[merged - 1]) {
        lasts[merged - 1] = Math.max(lasts[merged - 1], to[i]);
      } else {
        firsts[merged] = from[i];
        lasts[merged] = to[i];
        merged++;
      }
    }
    size = merged;
  }

  /** The intervals as far as they concern cuts in each bucket. */
  public List<Tuple2<Integer, long[]>> byBucket(long[] boundaries) {
    merge();
    List<Tuple2<Integer, long[]>> pieces = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int to = Cuts.countUpTo(boundaries, lasts[i]);
      for (int bucket = Math.max(1, Cuts.countUpTo(boundaries, firsts[i]));
          bucket <= to;
          bucket++) {
        pieces.add(new Tuple2<>(bucket, new long[] {firsts[i], lasts[i]}));
      }
    }
    return pieces;
  }

  /** The first position in [from, end) where a cut may be; null if there is none. */
  public Long firstCut(long from, long end) {
    merge();
    long cut = from;
    for (int i = 0; i < size; i++) {
      if (firsts[i] < cut && cut <= lasts[i]) {
        if (lasts[i] == Long.MAX_VALUE) {
          return null;
        }
        cut = lasts[i] + 1;
      }
    }
    return cut < end ? cut : null;
  }
}
