package dev.assay.predicate;

import dev.assay.history.Decimals;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** Conditions in readable form, with the parentheses that are needed. */
final class SentenceText {
  private static final int SHOWN = 60;

  /** Operator precedence; an expression of lower precedence than its context is parenthesised. */
  private static final int OR = 0;

  private static final int AND = 1;
  private static final int NOT = 2;
  private static final int COMPARED = 3;
  private static final int SUM = 4;
  private static final int PRODUCT = 5;
  private static final int ATOM = 6;

  private final StringBuilder out = new StringBuilder();

  private SentenceText() {}

  static String of(Condition condition) {
    SentenceText text = new SentenceText();
    switch (condition.form()) {
      case ROWS -> {}
      case DELETE -> text.out.append("delete");
      case SET -> text.assignments(condition.set());
      default ->
          text.out
              .append(condition.form().id())
              .append('(')
              .append(condition.aggregated() == null ? "*" : condition.aggregated())
              .append(')');
    }
    if (condition.form() == Condition.Form.ROWS) {
      return condition.isRestricted() ? of(condition.where()) : "all rows";
    }
    if (condition.isRestricted()) {
      text.out.append(" where ");
      text.append(condition.where(), OR);
    }
    return text.out.toString();
  }

  static String of(Expression expression) {
    SentenceText text = new SentenceText();
    text.append(expression, OR);
    return text.out.toString();
  }

  /** A scalar in a sentence. */
  static String value(Object value) {
    if (value instanceof String text) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (value instanceof Double number && Double.isFinite(number)) {
      return Decimals.text(number);
    }
    if (value instanceof List<?> list) {
      StringBuilder shown = new StringBuilder("[");
      for (Object element : list) {
        shown.append(shown.length() > 1 ? ", " : "").append(value(element));
      }
      return shown.append(']').toString();
    }
    return String.valueOf(value);
  }

  /** A piece of input in a message: short, on one line, in quotation marks. */
  static String quoted(String text) {
    return '"' + cut(text) + '"';
  }

  /** A piece of input in a message: short and on one line. */
  static String cut(String text) {
    int end = Math.min(text.length(), SHOWN);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    StringBuilder shown = new StringBuilder();
    text.substring(0, end)
        .codePoints()
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown.append(end < text.length() ? "…" : "").toString();
  }

  private void assignments(Map<String, Expression> set) {
    String separator = "set ";
    for (Map.Entry<String, Expression> assignment : set.entrySet()) {
      out.append(separator).append(assignment.getKey()).append(" = ");
      append(assignment.getValue(), SUM);
      separator = ", ";
    }
  }

  private void append(Expression expression, int needed) {
    boolean enclosed = tightness(expression) < needed;
    if (enclosed) {
      out.append('(');
    }
    bare(expression);
    if (enclosed) {
      out.append(')');
    }
  }

  private static int tightness(Expression expression) {
    if (expression instanceof Expression.Or or) {
      return or.operands().size() == 1 ? tightness(or.operands().get(0)) : OR;
    }
    if (expression instanceof Expression.And and) {
      return and.operands().size() == 1 ? tightness(and.operands().get(0)) : AND;
    }
    if (expression instanceof Expression.Not not) {
      return not.operand() instanceof Expression.IsNull ? COMPARED : NOT;
    }
    if (expression instanceof Expression.Arithmetic arithmetic) {
      return switch (arithmetic.operator()) {
        case PLUS, MINUS -> SUM;
        case TIMES, REMAINDER -> PRODUCT;
      };
    }
    boolean atom =
        expression instanceof Expression.Column || expression instanceof Expression.Literal;
    return atom ? ATOM : COMPARED;
  }

  private void bare(Expression expression) {
    if (expression instanceof Expression.Column column) {
      out.append(column.name());
    } else if (expression instanceof Expression.Literal literal) {
      literal(literal.value());
    } else if (expression instanceof Expression.Comparison c) {
      append(c.left(), SUM);
      out.append(' ').append(c.comparator().symbol()).append(' ');
      append(c.right(), SUM);
    } else if (expression instanceof Expression.Between b) {
      append(b.operand(), SUM);
      out.append(" between ");
      append(b.low(), SUM);
      out.append(" and ");
      append(b.high(), SUM);
    } else if (expression instanceof Expression.In in) {
      append(in.operand(), SUM);
      out.append(" in (");
      joined(in.elements(), ", ", OR);
      out.append(')');
    } else if (expression instanceof Expression.Like like) {
      append(like.operand(), SUM);
      out.append(" like ").append(value(like.pattern()));
    } else if (expression instanceof Expression.IsNull isNull) {
      append(isNull.operand(), SUM);
      out.append(" is null");
    } else if (expression instanceof Expression.And and) {
      joined(and.operands(), " and ", and.operands().size() == 1 ? OR : NOT);
    } else if (expression instanceof Expression.Or or) {
      joined(or.operands(), " or ", or.operands().size() == 1 ? OR : AND);
    } else if (expression instanceof Expression.Not not) {
      not(not.operand());
    } else if (expression instanceof Expression.Arithmetic a) {
      int own = tightness(a);
      append(a.left(), own);
      out.append(' ').append(a.operator().symbol()).append(' ');
      append(a.right(), own + 1);
    }
  }

  private void not(Expression operand) {
    if (operand instanceof Expression.IsNull isNull) {
      append(isNull.operand(), SUM);
      out.append(" is not null");
    } else {
      out.append("not ");
      append(operand, ATOM);
    }
  }

  private void joined(List<Expression> operands, String separator, int needed) {
    for (int i = 0; i < operands.size(); i++) {
      out.append(i == 0 ? "" : separator);
      append(operands.get(i), needed);
    }
  }

  private void literal(Object value) {
    out.append(value instanceof BigDecimal decimal ? decimal.toString() : value(value));
  }
}
