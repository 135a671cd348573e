package dev.assay.history;

import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Work on a history in pieces: shared among all cores, unless there is too little of it. */
public final class Cores {
  /** Minimum number of operations worth sharing among threads. */
  private static final int WORTH_SHARING = 2_048;

  private Cores() {}

  private static boolean share(int operations) {
    return operations >= WORTH_SHARING;
  }

  /** How many pieces to make of a history: that many, or one if it is small. */
  public static int pieces(History history, int most) {
    return share(history.operationCount()) ? most : 1;
  }

  /** The numbers of pieces, to be worked on in any order. */
  public static IntStream over(History history, int pieces) {
    return over(history.operationCount(), pieces);
  }

  /** The numbers of the pieces of this many operations. */
  static IntStream over(int operations, int pieces) {
    IntStream numbers = IntStream.range(0, pieces);
    return share(operations) ? numbers.parallel() : numbers;
  }

  /**
   * Works on all pieces, as {@link #over} does, with scratch memory that serves one piece after
   * another: what is allocated for each piece costs more than the work on a small one.
   */
  public static <S> void each(
      History history, int pieces, Supplier<S> scratch, ObjIntConsumer<S> work) {
    AtomicInteger next = new AtomicInteger();
    int strands = ForkJoinPool.getCommonPoolParallelism() + 1;
    over(history, Math.min(strands, pieces))
        .forEach(
            strand -> {
              S own = null;
              for (int i = next.getAndIncrement(); i < pieces; i = next.getAndIncrement()) {
                own = own == null ? scratch.get() : own;
                work.accept(own, i);
              }
            });
  }

  /** Parts of a history, to be worked on in any order. */
  public static <T> Stream<T> over(History history, List<T> parts) {
    return share(history.operationCount()) ? parts.parallelStream() : parts.stream();
  }
}
