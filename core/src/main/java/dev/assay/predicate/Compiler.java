package dev.assay.predicate;

import dev.assay.predicate.Expression.Comparator;
import dev.assay.predicate.Expression.Comparison;
import dev.assay.predicate.Expression.Literal;
import java.util.Arrays;
import java.util.List;

/**
 * Turns expressions into small objects that evaluate them, with columns looked up once. Truth is a
 * number, so that conditions on integers evaluate without making objects: {@code and} is the
 * minimum of its operands, {@code or} the maximum.
 *
 * <p>Operands are evaluated from left to right, and only until the result is known.
 */
final class Compiler {
  static final int FALSE = 0;
  static final int UNKNOWN = 1;
  static final int TRUE = 2;

  private final Columns columns;

  Compiler(Columns columns) {
    this.columns = columns;
  }

  /** Whether something is true of a row: {@link #TRUE}, {@link #UNKNOWN} or {@link #FALSE}. */
  interface RowTruth {
    int of(Object key, Object value);
  }

  // ---- values

  RowValue value(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return column(columns.slot(column.name()));
    }
    if (expression instanceof Literal literal) {
      Object constant = literal.value();
      return (key, value) -> constant;
    }
    if (expression instanceof Expression.Arithmetic arithmetic) {
      return arithmetic(arithmetic);
    }
    RowTruth truth = truth(expression);
    return (key, value) ->
        switch (truth.of(key, value)) {
          case TRUE -> Boolean.TRUE;
          case FALSE -> Boolean.FALSE;
          default -> null;
        };
  }

  RowValue column(int slot) {
    if (slot == Columns.KEY_SLOT) {
      return (key, value) -> key;
    }
    return columns.areNamed()
        ? (key, value) -> value instanceof List<?> list ? list.get(slot) : value
        : (key, value) -> value;
  }

  private RowValue arithmetic(Expression.Arithmetic arithmetic) {
    RowValue left = value(arithmetic.left());
    RowValue right = value(arithmetic.right());
    return (key, value) -> {
      Long a = integer(left.of(key, value), arithmetic);
      Long b = integer(right.of(key, value), arithmetic);
      if (a == null || b == null) {
        return null;
      }
      try {
        return arithmetic.operator().apply(a, b);
      } catch (ArithmeticException e) {
        throw new EvaluationException(
            "%d %s %d %s, in %s"
                .formatted(
                    a,
                    arithmetic.operator().symbol(),
                    b,
                    arithmetic.operator() == Expression.Operator.REMAINDER
                        ? "divides by zero"
                        : "is beyond 64 bits",
                    SentenceText.of(arithmetic)));
      }
    };
  }

  private static Long integer(Object operand, Expression.Arithmetic arithmetic) {
    if (operand == null || operand instanceof Long) {
      return (Long) operand;
    }
    throw new EvaluationException(
        "%s is not an integer of 64 bits to calculate with, in %s"
            .formatted(Comparisons.described(operand), SentenceText.of(arithmetic)));
  }

  // ---- truths

  RowTruth truth(Expression expression) {
    if (expression instanceof Comparison comparison) {
      return comparison(comparison);
    }
    if (expression instanceof Expression.And and) {
      return and(truths(and.operands()));
    }
    if (expression instanceof Expression.Or or) {
      return or(truths(or.operands()));
    }
    if (expression instanceof Expression.Not not) {
      RowTruth operand = truth(not.operand());
      return (key, value) -> TRUE - operand.of(key, value);
    }
    if (expression instanceof Expression.Between between) {
      return between(between);
    }
    if (expression instanceof Expression.In in) {
      return in(in);
    }
    if (expression instanceof Expression.Like like) {
      return like(like);
    }
    if (expression instanceof Expression.IsNull isNull) {
      RowValue operand = value(isNull.operand());
      return (key, value) -> operand.of(key, value) == null ? TRUE : FALSE;
    }
    RowValue operand = value(expression);
    return (key, value) -> asTruth(operand.of(key, value), expression);
  }

  private RowTruth[] truths(List<Expression> operands) {
    RowTruth[] truths = new RowTruth[operands.size()];
    for (int i = 0; i < truths.length; i++) {
      truths[i] = truth(operands.get(i));
    }
    return truths;
  }

  private static RowTruth and(RowTruth[] operands) {
    return (key, value) -> {
      int result = TRUE;
      for (int i = 0; i < operands.length && result != FALSE; i++) {
        result = Math.min(result, operands[i].of(key, value));
      }
      return result;
    };
  }

  private static RowTruth or(RowTruth[] operands) {
    return (key, value) -> {
      int result = FALSE;
      for (int i = 0; i < operands.length && result != TRUE; i++) {
        result = Math.max(result, operands[i].of(key, value));
      }
      return result;
    };
  }

  private static int asTruth(Object operand, Expression expression) {
    if (operand == null) {
      return UNKNOWN;
    }
    if (operand instanceof Boolean truth) {
      return truth ? TRUE : FALSE;
    }
    throw new EvaluationException(
        "%s is neither true nor false, as %s must be here"
            .formatted(Comparisons.described(operand), SentenceText.of(expression)));
  }

  private RowTruth comparison(Comparison comparison) {
    Comparator comparator = comparison.comparator();
    RowValue left = value(comparison.left());
    RowValue right = value(comparison.right());
    if (comparison.right() instanceof Literal literal && literal.value() instanceof Long limit) {
      long bound = limit;
      return (key, value) -> {
        Object a = left.of(key, value);
        return a instanceof Long integer
            ? comparator.accepts(Long.compare(integer, bound)) ? TRUE : FALSE
            : compared(comparator, a, limit, comparison);
      };
    }
    return (key, value) ->
        compared(comparator, left.of(key, value), right.of(key, value), comparison);
  }

  private static int compared(Comparator comparator, Object a, Object b, Expression within) {
    if (a == null || b == null) {
      return UNKNOWN;
    }
    try {
      return comparator.accepts(Comparisons.compare(a, b)) ? TRUE : FALSE;
    } catch (EvaluationException e) {
      throw new EvaluationException(e.getMessage() + ", in " + SentenceText.of(within));
    }
  }

  private RowTruth between(Expression.Between between) {
    RowValue operand = value(between.operand());
    RowValue low = value(between.low());
    RowValue high = value(between.high());
    RowTruth general =
        (key, value) -> {
          Object a = operand.of(key, value);
          int result = compared(Comparator.AT_LEAST, a, low.of(key, value), between);
          return result == FALSE
              ? FALSE
              : Math.min(result, compared(Comparator.AT_MOST, a, high.of(key, value), between));
        };
    if (between.low() instanceof Literal l
        && l.value() instanceof Long least
        && between.high() instanceof Literal h
        && h.value() instanceof Long greatest) {
      long first = least;
      long last = greatest;
      return (key, value) -> {
        if (operand.of(key, value) instanceof Long integer) {
          return integer >= first && integer <= last ? TRUE : FALSE;
        }
        return general.of(key, value);
      };
    }
    return general;
  }

  private RowTruth like(Expression.Like like) {
    RowValue operand = value(like.operand());
    int[] pattern = like.pattern().codePoints().toArray();
    return (key, value) -> {
      Object text = operand.of(key, value);
      if (text == null) {
        return UNKNOWN;
      }
      if (text instanceof String string) {
        return isLike(string.codePoints().toArray(), pattern) ? TRUE : FALSE;
      }
      throw new EvaluationException(
          "%s is not a text to compare with a pattern, in %s"
              .formatted(Comparisons.described(text), SentenceText.of(like)));
    };
  }

  /** Tries the last {@code %} again, one character further, wherever the rest does not fit. */
  private static boolean isLike(int[] text, int[] pattern) {
    int at = 0;
    int next = 0;
    int any = -1;
    int resumed = 0;
    while (at < text.length) {
      if (next < pattern.length && pattern[next] == '%') {
        any = next++;
        resumed = at;
      } else if (next < pattern.length && (pattern[next] == '_' || pattern[next] == text[at])) {
        at++;
        next++;
      } else if (any >= 0) {
        next = any + 1;
        at = ++resumed;
      } else {
        return false;
      }
    }
    while (next < pattern.length && pattern[next] == '%') {
      next++;
    }
    return next == pattern.length;
  }

  private RowTruth in(Expression.In in) {
    RowValue operand = value(in.operand());
    RowValue[] elements = in.elements().stream().map(this::value).toArray(RowValue[]::new);
    RowTruth general =
        (key, value) -> {
          Object a = operand.of(key, value);
          int result = FALSE;
          for (int i = 0; i < elements.length && result != TRUE; i++) {
            Object b = elements[i].of(key, value);
            result = Math.max(result, compared(Comparator.EQUAL, a, b, in));
          }
          return result;
        };
    long[] integers = integers(in.elements());
    if (integers == null) {
      return general;
    }
    return (key, value) -> {
      if (operand.of(key, value) instanceof Long integer) {
        return Arrays.binarySearch(integers, integer) >= 0 ? TRUE : FALSE;
      }
      return general.of(key, value);
    };
  }

  /** The elements in order if all are integer literals, otherwise null. */
  private static long[] integers(List<Expression> elements) {
    long[] integers = new long[elements.size()];
    for (int i = 0; i < integers.length; i++) {
      if (!(elements.get(i) instanceof Literal literal && literal.value() instanceof Long value)) {
        return null;
      }
      integers[i] = value;
    }
    Arrays.sort(integers);
    return integers;
  }
}
