package dev.assay.predicate;

import dev.assay.predicate.Expression.Comparator;
import dev.assay.predicate.Expression.Comparison;
import dev.assay.predicate.Expression.Literal;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Finds the interval of one column outside which an expression cannot be true.
 *
 * <p>{@link #necessary} keeps two promises about an interval it gives: where the expression has the
 * truth asked for, the column is not null and, if it is an integer, in the interval; and where the
 * interval is exact, the expression has that truth for every integer in it. Null promises nothing.
 */
final class RangeAnalysis {
  private static final Interval ALL = new Interval(Long.MIN_VALUE, Long.MAX_VALUE, true);
  private static final Interval NONE = new Interval(Long.MAX_VALUE, Long.MIN_VALUE, true);
  private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final String column;

  private RangeAnalysis(String column) {
    this.column = column;
  }

  private record Interval(long low, long high, boolean exact) {
    boolean isEmpty() {
      return low > high;
    }

    boolean saysNothing() {
      return low == Long.MIN_VALUE && high == Long.MAX_VALUE && !exact;
    }

    Interval inexact() {
      return isEmpty() ? NONE : new Interval(low, high, false);
    }
  }

  /** The range of a column; empty if the expression does not bound it. */
  static Optional<Range> of(Expression where, String column) {
    Interval interval = new RangeAnalysis(column).necessary(where, true);
    if (interval == null || interval.saysNothing()) {
      return Optional.empty();
    }
    return Optional.of(new Range(column, interval.low(), interval.high(), interval.exact()));
  }

  /** The narrowest range of any of these columns, and of equally narrow ones an exact one. */
  static Optional<Range> best(Expression where, Collection<String> columns) {
    Range best = null;
    for (String column : columns) {
      Range range = of(where, column).orElse(null);
      if (range != null && (best == null || isBetter(range, best))) {
        best = range;
      }
    }
    return Optional.ofNullable(best);
  }

  private static boolean isBetter(Range a, Range b) {
    int widths = Double.compare((double) a.high() - a.low(), (double) b.high() - b.low());
    return widths < 0 || widths == 0 && a.exact() && !b.exact();
  }

  private Interval necessary(Expression expression, boolean truth) {
    if (expression instanceof Expression.Not not) {
      return necessary(not.operand(), !truth);
    }
    if (expression instanceof Expression.And and) {
      return truth ? allOf(and.operands(), true) : anyOf(and.operands(), false);
    }
    if (expression instanceof Expression.Or or) {
      return truth ? anyOf(or.operands(), true) : allOf(or.operands(), false);
    }
    if (expression instanceof Comparison comparison) {
      Comparator comparator = comparison.comparator();
      return compared(
          truth ? comparator : comparator.negated(), comparison.left(), comparison.right());
    }
    if (expression instanceof Expression.Between b) {
      List<Expression> parts =
          List.of(
              new Comparison(Comparator.AT_LEAST, b.operand(), b.low()),
              new Comparison(Comparator.AT_MOST, b.operand(), b.high()));
      return necessary(new Expression.And(parts), truth);
    }
    if (expression instanceof Expression.In in) {
      List<Expression> parts = new ArrayList<>(in.elements().size());
      for (Expression element : in.elements()) {
        parts.add(new Comparison(Comparator.EQUAL, in.operand(), element));
      }
      return necessary(new Expression.Or(parts), truth);
    }
    if (expression instanceof Expression.IsNull isNull) {
      return !truth && isColumn(isNull.operand()) ? ALL : null;
    }
    if (expression instanceof Literal literal) {
      return literal.value() instanceof Boolean value && value == truth ? null : NONE;
    }
    return null;
  }

  /** Every operand has the truth. */
  private Interval allOf(List<Expression> operands, boolean truth) {
    Interval common = ALL;
    boolean found = false;
    boolean exact = true;
    for (Expression operand : operands) {
      Interval part = necessary(operand, truth);
      if (part == null) {
        exact = false;
        continue;
      }
      found = true;
      exact &= part.exact();
      common =
          new Interval(
              Math.max(common.low(), part.low()), Math.min(common.high(), part.high()), true);
    }
    if (!found) {
      return null;
    }
    if (common.isEmpty()) {
      return NONE;
    }
    return exact ? common : common.inexact();
  }

  /** Some operand has the truth: the hull, which is exact if it has no gaps. */
  private Interval anyOf(List<Expression> operands, boolean truth) {
    List<Interval> parts = new ArrayList<>();
    for (Expression operand : operands) {
      Interval part = necessary(operand, truth);
      if (part == null) {
        return null;
      }
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    if (parts.isEmpty()) {
      return NONE;
    }
    parts.sort((a, b) -> Long.compare(a.low(), b.low()));
    Interval hull = parts.get(0);
    for (Interval part : parts.subList(1, parts.size())) {
      boolean joined = hull.high() == Long.MAX_VALUE || part.low() <= hull.high() + 1;
      hull =
          new Interval(
              hull.low(),
              Math.max(hull.high(), part.high()),
              hull.exact() && part.exact() && joined);
    }
    return hull;
  }

  private Interval compared(Comparator comparator, Expression left, Expression right) {
    if (left instanceof Literal literal && !(right instanceof Literal)) {
      return compared(comparator.mirrored(), right, literal);
    }
    if (!(right instanceof Literal literal)) {
      return null;
    }
    if (literal.value() == null) {
      return NONE;
    }
    if (!isColumn(left) || !(literal.value() instanceof Number number)) {
      return null;
    }
    return number instanceof Long integer
        ? bounded(comparator, integer, integer)
        : bounded(comparator, Comparisons.decimal(number));
  }

  private boolean isColumn(Expression expression) {
    return expression instanceof Expression.Column c && c.name().equals(column);
  }

  private static Interval bounded(Comparator comparator, BigDecimal limit) {
    if (limit.compareTo(LEAST) < 0 || limit.compareTo(GREATEST) > 0) {
      return comparator.accepts(-limit.signum()) ? ALL : NONE;
    }
    return bounded(
        comparator, rounded(limit, RoundingMode.FLOOR), rounded(limit, RoundingMode.CEILING));
  }

  /** Bounded by a number between these two integers, or by one integer that is both. */
  private static Interval bounded(Comparator comparator, long floor, long ceiling) {
    return switch (comparator) {
      case EQUAL -> floor == ceiling ? new Interval(floor, floor, true) : NONE;
      case UNEQUAL -> floor == ceiling ? ALL.inexact() : ALL;
      case AT_MOST -> new Interval(Long.MIN_VALUE, floor, true);
      case AT_LEAST -> new Interval(ceiling, Long.MAX_VALUE, true);
      case LESS ->
          ceiling == Long.MIN_VALUE ? NONE : new Interval(Long.MIN_VALUE, ceiling - 1, true);
      case GREATER ->
          floor == Long.MAX_VALUE ? NONE : new Interval(floor + 1, Long.MAX_VALUE, true);
    };
  }

  /** Rounds without expanding the zeros of a number close to zero. */
  private static long rounded(BigDecimal number, RoundingMode mode) {
    if ((long) number.precision() - number.scale() <= 0) {
      boolean up = mode == RoundingMode.CEILING;
      return up ? Math.max(0, number.signum()) : Math.min(0, number.signum());
    }
    return number.setScale(0, mode).longValueExact();
  }
}
