package dev.assay.cli.process;

/** How many threads may work at once. */
public final class Threads {
  private Threads() {}

  /** Limits the pool that all parallel work runs in; takes effect before the pool is first used. */
  public static void limit(Integer threads) {
    if (threads == null) {
      return;
    }
    // The thread that asks for parallel work takes part in it.
    System.setProperty(
        "java.util.concurrent.ForkJoinPool.common.parallelism", String.valueOf(threads - 1));
  }
}
