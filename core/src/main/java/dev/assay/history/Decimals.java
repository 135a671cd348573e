package dev.assay.history;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Decides which decimals are represented as {@code double}: those that are the shortest
 * representation of the nearest double. All others would lose digits, so they stay exact. Equal
 * numbers thus get equal values and different ones different values, however they are written.
 */
public final class Decimals {
  /** A normal double is distinguished from its neighbours by any decimal of this many digits. */
  private static final int ALWAYS_EXACT = 15;

  private static final int MAX_DIGITS = 17;

  private Decimals() {}

  /** The value of a number: a Double or, where that would lose digits, a BigDecimal. */
  public static Object valueOf(String text) {
    BigDecimal exact = new BigDecimal(text);
    double nearest = exact.doubleValue();
    if (exact.signum() == 0) {
      return text.startsWith("-") ? -0.0 : 0.0;
    }
    BigDecimal stripped = exact.stripTrailingZeros();
    boolean isDouble =
        stripped.precision() <= MAX_DIGITS
            && !Double.isInfinite(nearest)
            && nearest != 0
            && shortest(nearest).compareTo(stripped) == 0;
    return isDouble ? (Object) nearest : stripped;
  }

  /** A finite double as {@link #valueOf} takes it back. */
  public static String text(double number) {
    if (number == 0) {
      return Double.toString(number);
    }
    String text = Double.toString(number);
    return valueOf(text).equals(number) ? text : withExponent(shortest(number));
  }

  /** As a decimal that no reader takes for an integer. */
  public static String withExponent(BigDecimal decimal) {
    return decimal.unscaledValue() + "e" + -(long) decimal.scale();
  }

  /**
   * The decimal that represents a finite double: the shortest of those that round to it, the
   * closest if there are several.
   */
  public static BigDecimal shortest(double number) {
    BigDecimal exact = new BigDecimal(number);
    boolean subnormal = Math.abs(number) < Double.MIN_NORMAL;
    if (!subnormal) {
      BigDecimal rounded = exact.round(new MathContext(ALWAYS_EXACT)).stripTrailingZeros();
      if (rounded.doubleValue() == number) {
        return rounded;
      }
    }
    for (int digits = subnormal ? 1 : ALWAYS_EXACT + 1; digits < MAX_DIGITS; digits++) {
      BigDecimal rounded = exact.round(new MathContext(digits)).stripTrailingZeros();
      if (rounded.doubleValue() == number) {
        return rounded;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS)).stripTrailingZeros();
  }
}
