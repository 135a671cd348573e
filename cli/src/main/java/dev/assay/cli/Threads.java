package dev.assay.cli;

/** How many threads may work at once. */
final class Threads {
  private static final int MAX = 1024;

  private Threads() {}

  /** Limits the pool that all parallel work runs in; takes effect before the pool is first used. */
  static void limit(Integer threads) {
    if (threads == null) {
      return;
    }
    if (threads < 1 || threads > MAX) {
      throw new UsageException("--threads must be between 1 and " + MAX);
    }
    // The thread that asks for parallel work takes part in it.
    System.setProperty(
        "java.util.concurrent.ForkJoinPool.common.parallelism", String.valueOf(threads - 1));
  }
}
