package dev.assay.predicate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Objects;

/**
 * An aggregate over rows as they are added: those that do not match, and nulls of its column, do
 * not count. Sums and averages are of integers and have no limit.
 */
public final class Aggregate {
  private static final int LONG_BITS = 63;

  /** Some databases give averages with four digits after the point, some as floating point. */
  private static final BigDecimal TOLERATED = new BigDecimal("0.0001");

  private static final BigDecimal TOLERATED_SHARE = new BigDecimal("1e-14");

  private final Matcher matcher;
  private final Condition.Form form;
  private final RowValue column;
  private long counted;
  private Object extreme;
  private long sum;
  private BigInteger carried = BigInteger.ZERO;

  Aggregate(Matcher matcher, Condition.Form form, RowValue column) {
    this.matcher = matcher;
    this.form = form;
    this.column = column;
  }

  /**
   * Adds a row if it matches.
   *
   * @throws EvaluationException if the condition has no value for it, or its value cannot be
   *     aggregated
   */
  public void add(Object key, Object value) {
    if (!matcher.matches(key, value)) {
      return;
    }
    if (column == null) {
      counted++;
      return;
    }
    Object aggregated = column.of(key, value);
    if (aggregated == null) {
      return;
    }
    counted++;
    try {
      switch (form) {
        case MIN -> keep(aggregated, -1);
        case MAX -> keep(aggregated, 1);
        case SUM, AVG -> addToSum(aggregated);
        default -> {}
      }
    } catch (EvaluationException e) {
      throw e.inRow(key, value);
    }
  }

  /** The result so far: a number for a count, null for anything else over nothing. */
  public Object result() {
    return switch (form) {
      case COUNT -> counted;
      case SUM -> counted == 0 ? null : sum();
      case AVG -> counted == 0 ? null : (Object) average().doubleValue();
      default -> extreme;
    };
  }

  /**
   * Whether this is the result so far. An average may be rounded as databases do: to four digits
   * after the point or better, and to an integer where it is given as one.
   */
  public boolean gives(Object given) {
    if (form != Condition.Form.AVG || counted == 0 || !(given instanceof Number number)) {
      return Objects.equals(result(), given);
    }
    if (!Comparisons.isFinite(number)) {
      return false;
    }
    BigDecimal exact = average();
    BigDecimal off = Comparisons.decimal(number).subtract(exact).abs();
    return number instanceof Long || number instanceof BigInteger
        ? off.compareTo(BigDecimal.ONE) < 0
        : off.compareTo(TOLERATED.max(exact.abs().multiply(TOLERATED_SHARE))) < 0;
  }

  private BigDecimal average() {
    BigDecimal total = new BigDecimal(carried.add(BigInteger.valueOf(sum)));
    return total.divide(BigDecimal.valueOf(counted), MathContext.DECIMAL128);
  }

  private void keep(Object candidate, int wanted) {
    // Compared with itself so that even the first value must be of an ordered type.
    int relation = Comparisons.compare(candidate, extreme == null ? candidate : extreme);
    if (extreme == null || Integer.signum(relation) == wanted) {
      extreme = candidate;
    }
  }

  private void addToSum(Object summand) {
    if (summand instanceof Long integer) {
      long next = sum + integer;
      if (((sum ^ next) & (integer ^ next)) < 0) {
        carried = carried.add(BigInteger.valueOf(sum)).add(BigInteger.valueOf(integer));
        next = 0;
      }
      sum = next;
    } else if (summand instanceof BigInteger integer) {
      carried = carried.add(integer);
    } else {
      throw new EvaluationException(
          Comparisons.described(summand) + " is not an integer, which sums and averages are of");
    }
  }

  private Object sum() {
    BigInteger total = carried.add(BigInteger.valueOf(sum));
    return total.bitLength() <= LONG_BITS ? (Object) total.longValue() : total;
  }
}
