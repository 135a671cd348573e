package dev.assay.predicate;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.assay.history.Decimals;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** A condition as JSON: no spaces, fields in one order, equal numbers written equally. */
final class CanonicalText {
  private final StringBuilder out = new StringBuilder();

  private CanonicalText() {}

  static String of(Condition condition) {
    CanonicalText text = new CanonicalText();
    text.condition(condition);
    return text.out.toString();
  }

  private void condition(Condition condition) {
    String separator = "{";
    if (condition.form().isAggregate()) {
      out.append("{\"select\":[\"").append(condition.form().id()).append('"');
      if (condition.aggregated() != null) {
        out.append(',');
        string(condition.aggregated());
      }
      out.append(']');
      separator = ",";
    }
    if (condition.isRestricted()) {
      out.append(separator).append("\"where\":");
      expression(condition.where());
      separator = ",";
    }
    if (condition.form() == Condition.Form.DELETE) {
      out.append(separator).append("\"delete\":true");
    } else if (condition.form() == Condition.Form.SET) {
      out.append(separator).append("\"set\":");
      String comma = "{";
      for (Map.Entry<String, Expression> assignment : condition.set().entrySet()) {
        out.append(comma);
        string(assignment.getKey());
        out.append(':');
        expression(assignment.getValue());
        comma = ",";
      }
      out.append('}');
    } else if (separator.equals("{")) {
      out.append('{');
    }
    out.append('}');
  }

  private void expression(Expression expression) {
    if (expression instanceof Expression.Column column) {
      string(column.name());
    } else if (expression instanceof Expression.Literal literal) {
      literal(literal.value());
    } else if (expression instanceof Expression.Comparison c) {
      operation(c.comparator().symbol(), List.of(c.left(), c.right()));
    } else if (expression instanceof Expression.Between b) {
      operation("between", List.of(b.operand(), b.low(), b.high()));
    } else if (expression instanceof Expression.In in) {
      out.append("[\"in\",");
      expression(in.operand());
      in.elements().forEach(this::next);
      out.append(']');
    } else if (expression instanceof Expression.Like like) {
      operation("like", List.of(like.operand(), new Expression.Literal(like.pattern())));
    } else if (expression instanceof Expression.IsNull isNull) {
      operation("is-null", List.of(isNull.operand()));
    } else if (expression instanceof Expression.And and) {
      operation("and", and.operands());
    } else if (expression instanceof Expression.Or or) {
      operation("or", or.operands());
    } else if (expression instanceof Expression.Not not) {
      operation("not", List.of(not.operand()));
    } else if (expression instanceof Expression.Arithmetic a) {
      operation(a.operator().symbol(), List.of(a.left(), a.right()));
    }
  }

  private void operation(String operator, List<Expression> operands) {
    out.append("[\"").append(operator).append('"');
    operands.forEach(this::next);
    out.append(']');
  }

  private void next(Expression operand) {
    out.append(',');
    expression(operand);
  }

  private void literal(Object value) {
    if (value instanceof String text) {
      out.append("{\"text\":");
      string(text);
      out.append('}');
    } else if (value instanceof Double number) {
      out.append(Decimals.text(number));
    } else if (value instanceof BigDecimal decimal) {
      out.append(Decimals.withExponent(decimal));
    } else {
      out.append(value);
    }
  }

  /** Unpaired surrogates are escaped, because UTF-8 cannot encode them. */
  private void string(String text) {
    out.append('"');
    int done = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean paired =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (paired) {
        i++;
      } else if (Character.isSurrogate(c)) {
        JsonStringEncoder.getInstance().quoteAsString(text.subSequence(done, i), out);
        out.append("\\u").append(Integer.toHexString(c));
        done = i + 1;
      }
    }
    JsonStringEncoder.getInstance().quoteAsString(text.subSequence(done, text.length()), out);
    out.append('"');
  }
}
