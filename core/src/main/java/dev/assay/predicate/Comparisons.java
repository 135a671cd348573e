package dev.assay.predicate;

import dev.assay.history.Decimals;
import dev.assay.history.Keyword;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The order of scalars, as SQL has it. */
final class Comparisons {
  private Comparisons() {}

  /**
   * Negative, zero or positive as the first value is less than, equal to or greater than the
   * second; neither is null. Numbers of all types compare exactly, a double as its shortest
   * decimal; texts compare by code points.
   *
   * @throws EvaluationException if values of these types do not compare
   */
  static int compare(Object left, Object right) {
    if (left instanceof Long a && right instanceof Long b) {
      return Long.compare(a, b);
    }
    if (left instanceof Number a && right instanceof Number b) {
      return compareNumbers(a, b);
    }
    if (left instanceof String a && right instanceof String b) {
      return compareTexts(a, b);
    }
    if (left instanceof Boolean a && right instanceof Boolean b) {
      return a.compareTo(b);
    }
    if (left instanceof Keyword a && right instanceof Keyword b) {
      return compareTexts(a.name(), b.name());
    }
    throw new EvaluationException(
        "%s cannot be compared with %s".formatted(described(left), described(right)));
  }

  /** The value with its type, for messages. */
  static String described(Object value) {
    String type;
    if (value instanceof Number) {
      type = "the number ";
    } else if (value instanceof String) {
      type = "the text ";
    } else if (value instanceof Keyword) {
      type = "the keyword ";
    } else if (value instanceof java.util.List) {
      type = "the vector ";
    } else {
      type = "";
    }
    return type + SentenceText.value(value);
  }

  /** As in most databases NaN equals itself and is above all other numbers. */
  private static int compareNumbers(Number left, Number right) {
    boolean finite = isFinite(left) && isFinite(right);
    if (finite && !(left instanceof Double && right instanceof Double)) {
      return decimal(left).compareTo(decimal(right));
    }
    double a = left.doubleValue();
    double b = right.doubleValue();
    if (finite || isFinite(left) == isFinite(right)) {
      return a == b ? 0 : Double.compare(a, b);
    }
    return isFinite(left) ? -sideOf(b) : sideOf(a);
  }

  /** On which side of all finite numbers this one is. */
  private static int sideOf(double notFinite) {
    return notFinite == Double.NEGATIVE_INFINITY ? -1 : 1;
  }

  static boolean isFinite(Number number) {
    return !(number instanceof Double d) || Double.isFinite(d);
  }

  /** The exact value of a finite number. */
  static BigDecimal decimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    if (number instanceof Double d) {
      return d == 0 ? BigDecimal.ZERO : Decimals.shortest(d);
    }
    return BigDecimal.valueOf(number.longValue());
  }

  private static int compareTexts(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        // Surrogates encode code points above all that need only one char.
        boolean aPaired = Character.isSurrogate(a);
        boolean bPaired = Character.isSurrogate(b);
        return aPaired == bPaired ? Character.compare(a, b) : aPaired ? 1 : -1;
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
