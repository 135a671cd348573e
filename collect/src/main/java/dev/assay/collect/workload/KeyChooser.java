package dev.assay.collect.workload;

/**
 * Draws keys from a {@link Distribution}.
 *
 * <p>The zipfian draw is the constant-time approximation of Gray et al., "Quickly Generating
 * Billion-Record Synthetic Databases" (1994), as YCSB uses it. It calls {@link StrictMath} because
 * {@link Math} may round differently from one Java version to the next.
 */
final class KeyChooser {
  private static final double THETA = 0.99;
  private static final double HOT_SHARE = 0.8;
  private static final int HOT_FRACTION = 5;

  /** Terms of the zeta sum that are added one by one before the rest is estimated. */
  private static final int EXACT_TERMS = 1 << 20;

  private final Distribution distribution;
  private final int keys;
  private final int hotKeys;
  private final double zeta;
  private final double secondLimit;
  private final double eta;

  KeyChooser(Distribution distribution, int keys) {
    this.distribution = distribution;
    this.keys = keys;
    this.hotKeys = Math.max(1, keys / HOT_FRACTION);
    this.secondLimit = 1 + StrictMath.pow(0.5, THETA);
    this.zeta = distribution == Distribution.ZIPF ? zeta(keys) : 0;
    this.eta = (1 - StrictMath.pow(2.0 / keys, 1 - THETA)) / (1 - secondLimit / zeta);
  }

  int next(SplitMix random) {
    return switch (distribution) {
      case UNIFORM -> random.below(keys);
      case HOTSPOT -> random.below(random.chance(HOT_SHARE) ? hotKeys : keys);
      case ZIPF -> zipf(random.nextDouble());
    };
  }

  private int zipf(double u) {
    double scaled = u * zeta;
    if (scaled < 1 || keys == 1) {
      return 0;
    }
    if (scaled < secondLimit || keys == 2) {
      return 1;
    }
    return (int) Math.min(keys - 1, keys * StrictMath.pow(eta * u - eta + 1, 1 / (1 - THETA)));
  }

  /** The sum of 1/i^θ for i from 1 to n; the tail by the Euler–Maclaurin formula. */
  static double zeta(int n) {
    double sum = 0;
    int exact = Math.min(n, EXACT_TERMS);
    for (int i = 1; i <= exact; i++) {
      sum += StrictMath.pow(i, -THETA);
    }
    if (n > exact) {
      double integral =
          (StrictMath.pow(n, 1 - THETA) - StrictMath.pow(exact, 1 - THETA)) / (1 - THETA);
      sum += integral + (StrictMath.pow(n, -THETA) - StrictMath.pow(exact, -THETA)) / 2;
    }
    return sum;
  }
}
