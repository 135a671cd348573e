package dev.assay.predicate;

import dev.assay.history.Decimals;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Expressions as SQL, with every operation in parentheses and every constant in place. */
final class SqlText {
  private final SqlTerms terms;

  SqlText(SqlTerms terms) {
    this.terms = terms;
  }

  String of(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return terms.column(column.name());
    }
    if (expression instanceof Expression.Literal literal) {
      return literal(literal.value());
    }
    if (expression instanceof Expression.Comparison c) {
      return "(" + of(c.left()) + " " + c.comparator().sql() + " " + of(c.right()) + ")";
    }
    if (expression instanceof Expression.Between b) {
      return "(" + of(b.operand()) + " BETWEEN " + of(b.low()) + " AND " + of(b.high()) + ")";
    }
    if (expression instanceof Expression.In in) {
      return "(" + of(in.operand()) + " IN (" + joined(in.elements(), ", ") + "))";
    }
    if (expression instanceof Expression.Like like) {
      String escape = terms.text(String.valueOf(unused(like.pattern())));
      return "(%s LIKE %s ESCAPE %s)"
          .formatted(of(like.operand()), terms.text(like.pattern()), escape);
    }
    if (expression instanceof Expression.IsNull isNull) {
      return "(" + of(isNull.operand()) + " IS NULL)";
    }
    if (expression instanceof Expression.And and) {
      return "(" + joined(and.operands(), " AND ") + ")";
    }
    if (expression instanceof Expression.Or or) {
      return "(" + joined(or.operands(), " OR ") + ")";
    }
    if (expression instanceof Expression.Not not) {
      return "(NOT " + of(not.operand()) + ")";
    }
    Expression.Arithmetic a = (Expression.Arithmetic) expression;
    return a.operator() == Expression.Operator.REMAINDER
        ? terms.remainder(of(a.left()), of(a.right()))
        : "(" + of(a.left()) + " " + a.operator().symbol() + " " + of(a.right()) + ")";
  }

  /** A character to escape with that is not there: some databases escape by default. */
  private static char unused(String pattern) {
    char candidate = '!';
    while (pattern.indexOf(candidate) >= 0 || candidate == '%' || candidate == '\'') {
      candidate++;
    }
    return candidate;
  }

  private String joined(List<Expression> operands, String separator) {
    StringBuilder out = new StringBuilder();
    for (Expression operand : operands) {
      out.append(out.isEmpty() ? "" : separator).append(of(operand));
    }
    return out.toString();
  }

  private String literal(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof String text) {
      return terms.text(text);
    }
    if (value instanceof Boolean truth) {
      return truth ? "TRUE" : "FALSE";
    }
    // A second minus before a number would begin a comment.
    String number = number(value);
    return number.startsWith("-") ? "(" + number + ")" : number;
  }

  private static String number(Object value) {
    if (value instanceof Double d) {
      return Decimals.text(d);
    }
    if (value instanceof BigDecimal || value instanceof BigInteger || value instanceof Long) {
      return value.toString();
    }
    throw new IllegalArgumentException("not a literal: " + value.getClass().getName());
  }
}
