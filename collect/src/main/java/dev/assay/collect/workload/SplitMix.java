package dev.assay.collect.workload;

/**
 * The SplitMix64 generator. The algorithm is fixed here rather than taken from the JDK, so that a
 * seed names the same history on every Java version.
 */
public final class SplitMix {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final long SEED_SPREAD = 0x632BE59BD9B4E019L;

  private long state;

  public SplitMix(long seed) {
    // Neighbouring seeds must not give shifted copies of one stream.
    state = seed * SEED_SPREAD + 1;
  }

  public long nextLong() {
    state += GOLDEN_GAMMA;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /** An integer from 0 (inclusive) to {@code bound} (exclusive). */
  public int below(int bound) {
    return (int) (((nextLong() >>> 32) * bound) >>> 32);
  }

  /** True with this probability. */
  public boolean chance(double probability) {
    return nextDouble() < probability;
  }
}
