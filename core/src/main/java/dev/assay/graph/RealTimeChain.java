package dev.assay.graph;

import java.util.function.IntToLongFunction;

/**
 * The order of intervals, "one ended before the other began", in linear size however many of them
 * overlap: a chain of instants. Each interval leads to the first instant after its end, each
 * instant to the next, and the last instant before an interval began leads to it.
 */
public final class RealTimeChain {
  /** What receives the chain. */
  public interface Sink {
    /** Makes the next instant of the chain and leads the one before to it; its number. */
    int instant(int before);

    /** An interval ended before an instant. */
    void ended(int interval, int instant);

    /** An interval began after an instant. */
    void began(int instant, int interval);
  }

  private static final int NONE = -1;

  private RealTimeChain() {}

  /**
   * Goes over all starts and ends in order of time. Ends with no start between them share an
   * instant. Where an end and a start have the same time the start comes first, because neither is
   * then before the other.
   *
   * @param begun intervals whose start is known
   * @param ended intervals whose end is known
   */
  public static void build(
      int[] begun, IntToLongFunction start, int[] ended, IntToLongFunction end, Sink sink) {
    int[] byStart = Sorted.by(begun, start);
    int[] byEnd = Sorted.by(ended, end);
    int instant = NONE;
    int next = 0;
    for (int interval : byStart) {
      long time = start.applyAsLong(interval);
      if (next < byEnd.length && end.applyAsLong(byEnd[next]) < time) {
        instant = sink.instant(instant);
        while (next < byEnd.length && end.applyAsLong(byEnd[next]) < time) {
          sink.ended(byEnd[next++], instant);
        }
      }
      if (instant != NONE) {
        sink.began(instant, interval);
      }
    }
  }
}
